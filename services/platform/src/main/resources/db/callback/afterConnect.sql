-- Migrations change the rows of all hosts, and policies hold for the owner as well.
SET app.host = '*';
