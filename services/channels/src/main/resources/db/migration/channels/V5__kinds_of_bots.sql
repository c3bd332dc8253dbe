-- Which kinds of bots there are, the program knows.
ALTER TABLE project_bot_t DROP CONSTRAINT project_bot_t_kind_check;
