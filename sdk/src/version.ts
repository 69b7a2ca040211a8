// The version of this package, sent to the service as its User-Agent. A test compares it with package.json.

export const version = '0.1.0';
