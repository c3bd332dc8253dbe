-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE host_t IS
  'Tenants.';
COMMENT ON COLUMN host_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN host_t.host_key IS 'Name of the tenant.';
COMMENT ON COLUMN host_t.name IS 'Name.';
COMMENT ON COLUMN host_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN host_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN host_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN host_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN host_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE user_t IS
  'People. Names and addresses are one whatever their case: the _key columns are for that.';
COMMENT ON COLUMN user_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN user_t.username IS 'Name to sign in with.';
COMMENT ON COLUMN user_t.username_key IS 'Name in lower case, to be compared.';
COMMENT ON COLUMN user_t.email IS 'E-mail address.';
COMMENT ON COLUMN user_t.email_key IS 'E-mail address in lower case, to be compared.';
COMMENT ON COLUMN user_t.email_proved_ts IS
  'Time at which the person showed that they read the address''s mail, or null.';
COMMENT ON COLUMN user_t.password_hash IS
  'Secret. Digest of the password (bcrypt); null for those who sign in elsewhere.';
COMMENT ON COLUMN user_t.avatar_url IS 'Address of the person''s picture.';
COMMENT ON COLUMN user_t.preferences IS 'Preferences of the person as JSON.';
COMMENT ON COLUMN user_t.time_zone IS 'Time zone (IANA).';
COMMENT ON COLUMN user_t.language IS 'Language tag (BCP 47).';
COMMENT ON COLUMN user_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN user_t.last_login_ts IS 'Time of the last sign-in.';
COMMENT ON COLUMN user_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN user_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN user_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN user_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE user_host_t IS
  'Members of a host and their roles.';
COMMENT ON COLUMN user_host_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN user_host_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN user_host_t.role IS 'Role of the person in the host: admin, user.';
COMMENT ON COLUMN user_host_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN user_host_t.joined_ts IS 'Time of joining.';
COMMENT ON COLUMN user_host_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN user_host_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN user_host_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN user_host_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE auth_identity_t IS
  'Identities of people at other providers.';
COMMENT ON COLUMN auth_identity_t.provider IS 'Name of the provider.';
COMMENT ON COLUMN auth_identity_t.subject IS 'Id of the person at the provider.';
COMMENT ON COLUMN auth_identity_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN auth_identity_t.created_ts IS 'Time of creation.';

COMMENT ON TABLE auth_session_t IS
  'Sign-ins. Only digests of tokens are kept.';
COMMENT ON COLUMN auth_session_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN auth_session_t.auth_session_id IS 'Id of the sign-in.';
COMMENT ON COLUMN auth_session_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN auth_session_t.token_prefix IS 'First characters of the token, to recognise it.';
COMMENT ON COLUMN auth_session_t.token_hash IS 'Secret. Digest of the token.';
COMMENT ON COLUMN auth_session_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN auth_session_t.refresh_hash IS 'Secret. Digest of the refresh token.';
COMMENT ON COLUMN auth_session_t.refresh_family IS 'Secret. First part that all refresh tokens of a sign-in share.';
COMMENT ON COLUMN auth_session_t.refreshed_ts IS 'Time of the last refresh.';
COMMENT ON COLUMN auth_session_t.refresh_used_hash IS 'Secret. Digest of the refresh token that was used last.';
COMMENT ON COLUMN auth_session_t.refresh_until_ts IS 'Time at which the refresh token ends.';
COMMENT ON COLUMN auth_session_t.method IS 'How the person proved who they are.';
COMMENT ON COLUMN auth_session_t.address IS 'Network address of the sign-in.';
COMMENT ON COLUMN auth_session_t.user_agent IS 'Name of the browser or program.';
COMMENT ON COLUMN auth_session_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN auth_session_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN auth_session_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';

COMMENT ON TABLE one_time_code_t IS
  'Codes that are good once and for a short time. Only digests are kept.';
COMMENT ON COLUMN one_time_code_t.code_hash IS 'Secret. Digest of the code.';
COMMENT ON COLUMN one_time_code_t.purpose IS 'What it is for: email, redirect, administrator.';
COMMENT ON COLUMN one_time_code_t.method IS 'How the person proved who they are.';
COMMENT ON COLUMN one_time_code_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN one_time_code_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN one_time_code_t.created_ts IS 'Time of creation.';

COMMENT ON TABLE identity_request_t IS
  'Sign-ins at another provider of identities that wait for its answer.';
COMMENT ON COLUMN identity_request_t.state_hash IS 'Secret. Digest of the state that the provider returns.';
COMMENT ON COLUMN identity_request_t.browser_hash IS
  'Secret. Digest of the secret that the browser keeps for this sign-in.';
COMMENT ON COLUMN identity_request_t.provider IS 'Name of the provider.';
COMMENT ON COLUMN identity_request_t.nonce IS 'Secret. Random value of the sign-in.';
COMMENT ON COLUMN identity_request_t.verifier IS 'Secret. Verifier of the sign-in (PKCE).';
COMMENT ON COLUMN identity_request_t.redirect IS 'Address to which the browser returns.';
COMMENT ON COLUMN identity_request_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN identity_request_t.expires_ts IS 'Time at which it ends by itself; null for never.';

COMMENT ON TABLE auth_attempt_t IS
  'Failed sign-ins, and other things that may be done only so often, by a digest of name or address.';
COMMENT ON COLUMN auth_attempt_t.subject IS 'Digest of the name or address.';
COMMENT ON COLUMN auth_attempt_t.failures IS 'Number of failures in a row.';
COMMENT ON COLUMN auth_attempt_t.until_ts IS 'Time at which it ends.';

COMMENT ON TABLE project_t IS
  'Projects.';
COMMENT ON COLUMN project_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN project_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN project_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN project_t.name IS 'Name.';
COMMENT ON COLUMN project_t.description IS 'Description.';
COMMENT ON COLUMN project_t.type IS 'Kind of project: local, git, remote.';
COMMENT ON COLUMN project_t.path IS 'Folder of the project, or null.';
COMMENT ON COLUMN project_t.git_remote IS 'Address of the project''s Git remote.';
COMMENT ON COLUMN project_t.external_key IS 'Name of the project outside of Parley.';
COMMENT ON COLUMN project_t.icon_url IS 'Address of the project''s icon.';
COMMENT ON COLUMN project_t.color IS 'Colour for clients, as #rrggbb.';
COMMENT ON COLUMN project_t.settings IS 'Settings as JSON.';
COMMENT ON COLUMN project_t.owner_id IS 'Id of the person who owns the project.';
COMMENT ON COLUMN project_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN project_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN project_t.archived_ts IS 'Time of archiving; null while in use.';
COMMENT ON COLUMN project_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN project_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN project_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN project_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE project_member_t IS
  'Members of a project and their roles; permissions come before what the role says.';
COMMENT ON COLUMN project_member_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN project_member_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN project_member_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN project_member_t.role IS 'Role of the person in the project: owner, admin, member, viewer.';
COMMENT ON COLUMN project_member_t.permissions IS 'Rights or rules as JSON.';
COMMENT ON COLUMN project_member_t.joined_ts IS 'Time of joining.';
COMMENT ON COLUMN project_member_t.invited_by IS 'Id of the person who invited the member.';
COMMENT ON COLUMN project_member_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN project_member_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN project_member_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN project_member_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE api_key_t IS
  'API keys; permissions are the capabilities that a key opens, ["*"] for all of its user.';
COMMENT ON COLUMN api_key_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN api_key_t.api_key_id IS 'Id of the API key.';
COMMENT ON COLUMN api_key_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN api_key_t.name IS 'Name.';
COMMENT ON COLUMN api_key_t.key_prefix IS 'First characters of the key, to recognise it.';
COMMENT ON COLUMN api_key_t.key_hash IS 'Secret. Digest of the key.';
COMMENT ON COLUMN api_key_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN api_key_t.permissions IS 'Rights or rules as JSON.';
COMMENT ON COLUMN api_key_t.usage_count IS 'Number of requests with the key.';
COMMENT ON COLUMN api_key_t.last_used_ts IS 'Time of the last use.';
COMMENT ON COLUMN api_key_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN api_key_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN api_key_t.revoked_ts IS 'Time of revocation, or null.';
COMMENT ON COLUMN api_key_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN api_key_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN api_key_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN api_key_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE provider_credential_t IS
  'Keys of model providers, sealed by the master key; without a user it is the host''s own.';
COMMENT ON COLUMN provider_credential_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN provider_credential_t.credential_id IS 'Id of the stored model key.';
COMMENT ON COLUMN provider_credential_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN provider_credential_t.provider IS 'Name of the provider.';
COMMENT ON COLUMN provider_credential_t.name IS 'Name.';
COMMENT ON COLUMN provider_credential_t.sealed IS 'Secret. The key, sealed by the master key.';
COMMENT ON COLUMN provider_credential_t.master_key_id IS 'Id of the master key that sealed the secret.';
COMMENT ON COLUMN provider_credential_t.last4 IS 'Last four characters of the secret, to recognise it.';
COMMENT ON COLUMN provider_credential_t.is_default IS 'Whether the key is used where none is named.';
COMMENT ON COLUMN provider_credential_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN provider_credential_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN provider_credential_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN provider_credential_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN provider_credential_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE setting_t IS
  'Settings of the host, and budgets: budget, budget/project/ID, budget/user/ID.';
COMMENT ON COLUMN setting_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN setting_t.name IS 'Name.';
COMMENT ON COLUMN setting_t.value IS 'Value as JSON.';
COMMENT ON COLUMN setting_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN setting_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN setting_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN setting_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE price_t IS
  'Prices of models in US dollars for a million tokens.';
COMMENT ON COLUMN price_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN price_t.provider IS 'Name of the provider.';
COMMENT ON COLUMN price_t.model IS 'Name of the model.';
COMMENT ON COLUMN price_t.input IS 'US dollars for a million input tokens.';
COMMENT ON COLUMN price_t.output IS 'US dollars for a million output tokens.';
COMMENT ON COLUMN price_t.cache_read IS 'Dollars for a million input tokens read from the provider''s cache.';
COMMENT ON COLUMN price_t.cache_write IS 'Dollars for a million input tokens written to the provider''s cache.';
COMMENT ON COLUMN price_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN price_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN price_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN price_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_definition_t IS
  'Agents of a project, or without one of the host.';
COMMENT ON COLUMN agent_definition_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_definition_t.agent_def_id IS 'Id of the agent''s definition.';
COMMENT ON COLUMN agent_definition_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_definition_t.name IS 'Name.';
COMMENT ON COLUMN agent_definition_t.body IS 'Document of the agent as JSON, checked and with its defaults.';
COMMENT ON COLUMN agent_definition_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_definition_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_definition_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_definition_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE permission_rule_t IS
  'Rules about tool calls; without a project for all projects of the host.';
COMMENT ON COLUMN permission_rule_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN permission_rule_t.rule_id IS 'Id of the rule; in a call, of the one that decided.';
COMMENT ON COLUMN permission_rule_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN permission_rule_t.agent IS 'Name of the agent.';
COMMENT ON COLUMN permission_rule_t.tool IS 'Tool or pattern of tools that the rule is for.';
COMMENT ON COLUMN permission_rule_t.pattern IS 'Pattern of the arguments that the rule is for.';
COMMENT ON COLUMN permission_rule_t.action IS 'Decision of the rule: allow, ask, deny.';
COMMENT ON COLUMN permission_rule_t.locked IS
  'Whether it is locked: a rule cannot be overridden, a task is taken by somebody.';
COMMENT ON COLUMN permission_rule_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN permission_rule_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN permission_rule_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN permission_rule_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN permission_rule_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN permission_rule_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE tool_t IS
  'Tools, a row for each version.';
COMMENT ON COLUMN tool_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN tool_t.definition_id IS 'Id of the definition; each version has its own.';
COMMENT ON COLUMN tool_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN tool_t.name IS 'Name.';
COMMENT ON COLUMN tool_t.version IS 'Version.';
COMMENT ON COLUMN tool_t.body IS 'Definition or event as JSON, checked and with its defaults.';
COMMENT ON COLUMN tool_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN tool_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN tool_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN tool_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE skill_t IS
  'Skills, a row for each version.';
COMMENT ON COLUMN skill_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN skill_t.definition_id IS 'Id of the definition; each version has its own.';
COMMENT ON COLUMN skill_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN skill_t.name IS 'Name.';
COMMENT ON COLUMN skill_t.version IS 'Version.';
COMMENT ON COLUMN skill_t.body IS 'Definition or event as JSON, checked and with its defaults.';
COMMENT ON COLUMN skill_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN skill_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN skill_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN skill_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE endpoint_t IS
  'HTTP APIs that administrators open to tools.';
COMMENT ON COLUMN endpoint_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN endpoint_t.definition_id IS 'Id of the definition; each version has its own.';
COMMENT ON COLUMN endpoint_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN endpoint_t.name IS 'Name.';
COMMENT ON COLUMN endpoint_t.version IS 'Version.';
COMMENT ON COLUMN endpoint_t.body IS 'Definition or event as JSON, checked and with its defaults.';
COMMENT ON COLUMN endpoint_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN endpoint_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN endpoint_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN endpoint_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE audit_log_t IS
  'Audit log: actions of people and services, append-only.';
COMMENT ON COLUMN audit_log_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN audit_log_t.audit_log_id IS 'Id of the audited action.';
COMMENT ON COLUMN audit_log_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN audit_log_t.source_type_id IS 'Kind of source of the action.';
COMMENT ON COLUMN audit_log_t.correlation_id IS 'Id of the request that caused the action.';
COMMENT ON COLUMN audit_log_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN audit_log_t.event_ts IS 'Time of the action.';
COMMENT ON COLUMN audit_log_t.success IS 'Whether the action succeeded: Y, N.';
COMMENT ON COLUMN audit_log_t.message0 IS 'First detail of the action.';
COMMENT ON COLUMN audit_log_t.message1 IS 'Second detail of the action.';
COMMENT ON COLUMN audit_log_t.message2 IS 'Third detail of the action.';
COMMENT ON COLUMN audit_log_t.message IS 'Action in words.';
COMMENT ON COLUMN audit_log_t.user_comment IS 'Comment of the person who acted.';

COMMENT ON TABLE usage_offset_t IS
  'Offset up to which requests with API keys are counted.';
COMMENT ON COLUMN usage_offset_t.partition_id IS 'Partition of the topic.';
COMMENT ON COLUMN usage_offset_t.next_offset IS 'Offset of the first record that is not read yet.';

COMMENT ON TABLE outbox_t IS
  'Keys of records on the topics access and definitions that have to be sent again.';
COMMENT ON COLUMN outbox_t.seq IS 'Number that orders the rows.';
COMMENT ON COLUMN outbox_t.record_key IS 'Key of the record that has to be sent again.';

COMMENT ON VIEW skill_v IS 'Skills, a row for each version, with their text.';

COMMENT ON VIEW tool_v IS 'Tools, a row for each version, with their implementation.';

COMMENT ON VIEW tool_param_v IS 'Parameters of tools.';

COMMENT ON VIEW skill_tool_v IS 'Tools of skills.';

COMMENT ON VIEW skill_dependency_v IS 'Skills that a skill needs.';

COMMENT ON VIEW agent_definition_v IS 'Agents, with a column for each field of their documents.';
COMMENT ON VIEW agent_skill_v IS 'Skills of agents.';

COMMENT ON VIEW entity_tag_v IS 'Tags of skills and tools.';

COMMENT ON VIEW entity_category_v IS 'Categories of skills and tools.';

COMMENT ON VIEW api_endpoint_v IS 'HTTP APIs that tools may call.';

COMMENT ON TABLE ended_cookie_t IS
  'Cookies of the console whose browser signed out, until they expire. They belong to no host.';
COMMENT ON COLUMN ended_cookie_t.cookie IS 'Secret. Digest of the cookie''s id.';
COMMENT ON COLUMN ended_cookie_t.until_ts IS 'Time at which it ends.';
