-- Usable by versions that know migration 12.
-- Reserved for a change that is made elsewhere.
SELECT 1;
