// The version of this package, as it names itself to the service. A test holds it against package.json.

export const version = '0.1.0';
