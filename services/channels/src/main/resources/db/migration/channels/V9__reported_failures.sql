-- Why a message did not arrive, which some channels report only after they have accepted it.
ALTER TABLE sent_message_t ADD COLUMN failure text;
