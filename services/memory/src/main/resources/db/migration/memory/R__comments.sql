-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE agent_memory_bank_t IS
  'Memory banks. aggregate_version is the number of the bank''s last event.';
COMMENT ON COLUMN agent_memory_bank_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_bank_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_bank_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_bank_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN agent_memory_bank_t.agent IS 'Name of the agent whose memory it is; null for all agents.';
COMMENT ON COLUMN agent_memory_bank_t.agent_id IS 'Id of the agent.';
COMMENT ON COLUMN agent_memory_bank_t.user_id IS 'Id of the person whose memory it is; null for everybody.';
COMMENT ON COLUMN agent_memory_bank_t.branch IS 'Name of the branch; null for a bank that is no branch.';
COMMENT ON COLUMN agent_memory_bank_t.origin_id IS 'Bank or process that it was made of, or null.';
COMMENT ON COLUMN agent_memory_bank_t.bank_name IS 'Name of the bank.';
COMMENT ON COLUMN agent_memory_bank_t.disposition IS 'Traits of the bank as JSON.';
COMMENT ON COLUMN agent_memory_bank_t.background IS 'What the bank says of itself; part of its reflections.';
COMMENT ON COLUMN agent_memory_bank_t.model IS 'Model that reflects and consolidates, provider/model; null for rules.';
COMMENT ON COLUMN agent_memory_bank_t.generation IS 'Model of the vectors in embedding; null before the first.';
COMMENT ON COLUMN agent_memory_bank_t.other_generation IS
  'Model of the vectors that are being made or were searched before; null for none.';
COMMENT ON COLUMN agent_memory_bank_t.other_units IS 'Number of vectors of the other generation so far.';
COMMENT ON COLUMN agent_memory_bank_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_bank_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_bank_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_bank_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_doc_t IS
  'Documents that a bank has retained.';
COMMENT ON COLUMN agent_memory_doc_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_doc_t.doc_id IS 'Id of the document.';
COMMENT ON COLUMN agent_memory_doc_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_doc_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_doc_t.original_text IS 'Text of the document.';
COMMENT ON COLUMN agent_memory_doc_t.content_hash IS 'SHA-256 of the content.';
COMMENT ON COLUMN agent_memory_doc_t.metadata IS 'Session, turn, context, tags and command of the document as JSON.';
COMMENT ON COLUMN agent_memory_doc_t.waiting IS 'Hashes of the chunks that are not read yet.';
COMMENT ON COLUMN agent_memory_doc_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_doc_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_doc_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_doc_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_unit_t IS
  'Units: facts, opinions and observations of a bank. event_date orders them.';
COMMENT ON COLUMN agent_memory_unit_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_unit_t.unit_id IS 'Id of the unit, a fact of the bank.';
COMMENT ON COLUMN agent_memory_unit_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_unit_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_unit_t.doc_id IS 'Id of the document.';
COMMENT ON COLUMN agent_memory_unit_t.content IS 'The fact, in words.';
COMMENT ON COLUMN agent_memory_unit_t.context IS 'Context in which the fact was said.';
COMMENT ON COLUMN agent_memory_unit_t.event_date IS
  'Time that orders the unit: when it happened, else when it was said.';
COMMENT ON COLUMN agent_memory_unit_t.occurred_start IS 'Start of what happened, or null.';
COMMENT ON COLUMN agent_memory_unit_t.occurred_end IS 'End of what happened, or null.';
COMMENT ON COLUMN agent_memory_unit_t.mentioned_at IS 'Time at which it was said.';
COMMENT ON COLUMN agent_memory_unit_t.fact_type IS
  'Kind of fact: world, experience, opinion, observation, mental_model.';
COMMENT ON COLUMN agent_memory_unit_t.metadata IS 'Version, confidence, tags and origin of the unit as JSON.';
COMMENT ON COLUMN agent_memory_unit_t.proof_count IS 'Number of units that support the fact.';
COMMENT ON COLUMN agent_memory_unit_t.source_memory_ids IS 'Ids of the units that it was made of.';
COMMENT ON COLUMN agent_memory_unit_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_unit_t.other_vectors IS
  'Number of vectors of the other generation that the unit got, with those of earlier versions.';
COMMENT ON COLUMN agent_memory_unit_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_unit_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_unit_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN agent_memory_unit_t.embedding IS 'Vector of the text in the bank''s current generation.';
COMMENT ON COLUMN agent_memory_unit_t.other_embedding IS 'Vector of the text in the other generation.';

COMMENT ON TABLE agent_memory_unit_source_t IS
  'Which units a unit was made of.';
COMMENT ON COLUMN agent_memory_unit_source_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_unit_source_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_unit_source_t.source_id IS 'Id of the source.';
COMMENT ON COLUMN agent_memory_unit_source_t.unit_id IS 'Id of the unit, a fact of the bank.';
COMMENT ON COLUMN agent_memory_unit_source_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';

COMMENT ON TABLE agent_memory_entity_t IS
  'Entities that units are about. Of several with one name the one with the lowest id is active.';
COMMENT ON COLUMN agent_memory_entity_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_entity_t.entity_id IS 'Id of the entity.';
COMMENT ON COLUMN agent_memory_entity_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_entity_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_entity_t.canonical_name IS 'Name of the entity, as it is shown.';
COMMENT ON COLUMN agent_memory_entity_t.name_key IS 'Name in lower case, to be compared.';
COMMENT ON COLUMN agent_memory_entity_t.mention_count IS 'Number of units about the entity.';
COMMENT ON COLUMN agent_memory_entity_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_entity_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_entity_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_entity_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_unit_entity_t IS
  'Which unit is about which entity.';
COMMENT ON COLUMN agent_memory_unit_entity_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_unit_entity_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_unit_entity_t.unit_id IS 'Id of the unit, a fact of the bank.';
COMMENT ON COLUMN agent_memory_unit_entity_t.entity_id IS 'Id of the entity.';
COMMENT ON COLUMN agent_memory_unit_entity_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_unit_entity_t.name IS 'Name.';
COMMENT ON COLUMN agent_memory_unit_entity_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_unit_entity_t.update_ts IS
  'Time of the last change; in views the time of the last event.';

COMMENT ON TABLE agent_memory_entity_cooccur_t IS
  'How many units are about both of two entities.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.entity_id_1 IS 'Id of the first entity, the lower one.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.entity_id_2 IS 'Id of the second entity.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.cooccur_count IS 'Number of units about both entities.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.last_cooccurred IS 'Time of the newest unit about both entities.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.update_ts IS
  'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_entity_cooccur_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_link_t IS
  'Links between units; those of the type entity are in agent_memory_entity_link_v.';
COMMENT ON COLUMN agent_memory_link_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_link_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_link_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_link_t.from_unit_id IS 'Unit at which the link begins.';
COMMENT ON COLUMN agent_memory_link_t.to_unit_id IS 'Unit at which the link ends.';
COMMENT ON COLUMN agent_memory_link_t.link_type IS
  'Kind of link: temporal, semantic, entity, causes, caused_by, enables, prevents.';
COMMENT ON COLUMN agent_memory_link_t.weight IS 'Weight of the link, from 0 to 1.';
COMMENT ON COLUMN agent_memory_link_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_link_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_link_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_link_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_directive_t IS
  'Directives: rules that answers of the bank follow.';
COMMENT ON COLUMN agent_memory_directive_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_directive_t.directive_id IS 'Id of the directive.';
COMMENT ON COLUMN agent_memory_directive_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_directive_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_directive_t.name IS 'Name.';
COMMENT ON COLUMN agent_memory_directive_t.content IS 'Content.';
COMMENT ON COLUMN agent_memory_directive_t.priority IS 'Priority; higher ones come first.';
COMMENT ON COLUMN agent_memory_directive_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_directive_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_directive_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_directive_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_reflection_t IS
  'Reflections: questions and the answers that cite units.';
COMMENT ON COLUMN agent_memory_reflection_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_reflection_t.reflection_id IS 'Id of the reflection.';
COMMENT ON COLUMN agent_memory_reflection_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_reflection_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_reflection_t.question IS 'Question.';
COMMENT ON COLUMN agent_memory_reflection_t.content IS 'The answer.';
COMMENT ON COLUMN agent_memory_reflection_t.source_ids IS 'Ids of the cited units and documents.';
COMMENT ON COLUMN agent_memory_reflection_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN agent_memory_reflection_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_reflection_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_reflection_t.update_ts IS
  'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_reflection_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN agent_memory_reflection_t.embedding IS 'Vector of the text in the bank''s current generation.';
COMMENT ON COLUMN agent_memory_reflection_t.other_embedding IS 'Vector of the text in the other generation.';

COMMENT ON TABLE agent_memory_erasure_t IS
  'Receipts of what was erased.';
COMMENT ON COLUMN agent_memory_erasure_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_erasure_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN agent_memory_erasure_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_erasure_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_erasure_t.whole IS 'Whether all that the bank knew is erased.';
COMMENT ON COLUMN agent_memory_erasure_t.documents IS 'Number of documents.';
COMMENT ON COLUMN agent_memory_erasure_t.units IS 'Number of units.';
COMMENT ON COLUMN agent_memory_erasure_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_erasure_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_erasure_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_erasure_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_operation_t IS
  'What became of documents that were given over HTTP, for a week.';
COMMENT ON COLUMN agent_memory_operation_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_operation_t.operation_id IS 'Id of the command that gave the document.';
COMMENT ON COLUMN agent_memory_operation_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_operation_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_operation_t.doc_id IS 'Id of the document.';
COMMENT ON COLUMN agent_memory_operation_t.state IS
  'What became of the document; given while that is unknown: given, taken, refused.';
COMMENT ON COLUMN agent_memory_operation_t.code IS 'Machine-readable result.';
COMMENT ON COLUMN agent_memory_operation_t.message IS 'Message.';
COMMENT ON COLUMN agent_memory_operation_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_operation_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE deleted_agent_t IS
  'Agents that were deleted, while commands for their banks may still arrive.';
COMMENT ON COLUMN deleted_agent_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN deleted_agent_t.agent_id IS 'Id of the agent.';
COMMENT ON COLUMN deleted_agent_t.deleted_ts IS 'Time of deletion, or null.';

COMMENT ON TABLE agent_memory_mental_model_t IS
  'Questions that a bank always has an answer to; the answer is the unit of the same id.';
COMMENT ON COLUMN agent_memory_mental_model_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_mental_model_t.mental_model_id IS 'Id of the mental model.';
COMMENT ON COLUMN agent_memory_mental_model_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_mental_model_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_mental_model_t.name IS 'Name.';
COMMENT ON COLUMN agent_memory_mental_model_t.question IS 'Question.';
COMMENT ON COLUMN agent_memory_mental_model_t.tags IS 'Tags.';
COMMENT ON COLUMN agent_memory_mental_model_t.rest_ms IS 'Milliseconds between two refreshes of the answer.';
COMMENT ON COLUMN agent_memory_mental_model_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_mental_model_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_memory_mental_model_t.update_ts IS
  'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_memory_mental_model_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_memory_unit_version_t IS
  'Former versions of opinions and mental models, at most 50 of each.';
COMMENT ON COLUMN agent_memory_unit_version_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_memory_unit_version_t.unit_id IS 'Id of the unit, a fact of the bank.';
COMMENT ON COLUMN agent_memory_unit_version_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_memory_unit_version_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_memory_unit_version_t.version IS 'Version.';
COMMENT ON COLUMN agent_memory_unit_version_t.content IS 'Content.';
COMMENT ON COLUMN agent_memory_unit_version_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN agent_memory_unit_version_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_memory_unit_version_t.update_ts IS
  'Time of the last change; in views the time of the last event.';

COMMENT ON TABLE projection_offset_t IS
  'Offset up to which the views of memory are projected. It belongs to no host.';
COMMENT ON COLUMN projection_offset_t.topic IS 'Name of the topic.';
COMMENT ON COLUMN projection_offset_t."partition" IS 'Partition of the topic.';
COMMENT ON COLUMN projection_offset_t."offset" IS 'Offset of the next record to read.';

COMMENT ON TABLE replay_deferred_t IS
  'Indexes and foreign keys that a replay has dropped and makes again at its end.';
COMMENT ON COLUMN replay_deferred_t.definition IS 'Statement that makes the index or foreign key again.';

COMMENT ON VIEW agent_memory_entity_link_v IS 'Links between units that are about the same entity.';

COMMENT ON VIEW agent_memory_branch_diff_v IS 'Differences between a branch and its bank.';
