-- Nothing says which person of the platform an entity is, and entities have no other properties (docs/decisions/0087).
ALTER TABLE agent_memory_entity_t DROP COLUMN user_id, DROP COLUMN metadata;
