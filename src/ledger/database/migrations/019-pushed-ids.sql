-- The identity of pushed people: the id of what was pushed, no longer the number of the employee.
-- Nobody who was pushed before counts as somebody else now: who has a column of their own as employee id keeps it.

update people p set employee_id = u.id from pushed u
where u.source = p.source and u.kind = 'User' and u.keys ? p.person_key and (
  p.employee_id is null
  or p.employee_id = u.resource -> 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User' ->> 'employeeNumber'
);
