-- A role that gives others access, too.
alter table accounts drop constraint accounts_role_check;
alter table accounts add constraint accounts_role_check check (role in ('viewer', 'operator', 'approver', 'admin'));
