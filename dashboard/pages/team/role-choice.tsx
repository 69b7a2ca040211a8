// Chooses a role, each with what it may do.

import { type Role, roleNames, roleOrder, roleTexts } from './role-words.ts';

export function RoleChoice({ chosen }: { readonly chosen: Role }) {
  return (
    <fieldset className="choices role-choices">
      <legend>Role</legend>
      {roleOrder.map((role) => (
        <label key={role} className="role-choice">
          <input type="radio" name="role" value={role} defaultChecked={role === chosen} />
          <span>
            <span className="row-title">{roleNames[role]}</span>
            <span className="faint">{roleTexts[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
