package dev.parley.control.outbox;

import dev.parley.control.definitions.ProjectGuardrails;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.settings.HostSetting;
import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Rule;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.platform.budget.PriceJson;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.json.tree.JsonNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the current rows behind a key of the topic {@code access}; empty means a tombstone. In SQL by hand, which reads
 * rows directly in the shape of their records, each of several tables.
 */
final class AccessRows {
    private static final String ACCOUNT = """
            SELECT h.host_id, u.user_id, u.aggregate_version + h.aggregate_version AS version, u.username, h.role, u.active,
                   h.active AND t.active AS in_host, u.time_zone, u.language, h.erasure_id
            FROM control.user_host_t h JOIN control.user_t u USING (user_id) JOIN control.host_t t USING (host_id)
            WHERE h.host_id = ? AND h.user_id = ?
            """;
    private static final Logger LOG = LoggerFactory.getLogger(AccessRows.class);
    private static final Guardrail UNREADABLE = new Guardrail(
            "unreadable",
            List.of(GuardrailStage.values()),
            "(?s).",
            null,
            GuardrailAction.BLOCK,
            "",
            "The guardrails of this project cannot be read: its administrator has to set them again.",
            false);

    private static final String PROJECT = """
            SELECT host_id, project_id, aggregate_version, project_key, name, archived_ts, active, erasure_id,
                   settings->>'sessions' = 'shared' AS shared,
                   CASE WHEN settings->>'retentionDays' ~ '^[0-9]{1,5}$' THEN (settings->>'retentionDays')::int END AS days,
                   settings->>'defaultModel' AS model,
                   settings->'projectChanges' IS NOT DISTINCT FROM 'true'::jsonb AS changes,
                   coalesce(nullif(settings->'guardrails', 'null'), '[]') AS guardrails,
                   CASE WHEN type IN ('local', 'git') THEN path END AS checkout
            FROM control.project_t WHERE project_key = ?
            """;
    private static final String MEMBER = """
            SELECT m.host_id, m.aggregate_version, m.role, m.active,
                   ARRAY(SELECT key || '=' || value FROM jsonb_each_text(m.permissions) ORDER BY key) AS rules
            FROM control.project_member_t m WHERE m.project_id = ? AND m.user_id = ?
            """;
    private static final String API_KEY = """
            SELECT host_id, user_id, api_key_id AS id, aggregate_version, key_hash AS hash, project_id, expires_ts,
                   ARRAY(SELECT jsonb_array_elements_text(permissions)) AS permissions
            FROM control.api_key_t WHERE key_prefix = ? AND active AND revoked_ts IS NULL
            """;
    private static final String SIGN_IN = """
            SELECT host_id, user_id, auth_session_id AS id, aggregate_version, token_hash AS hash, NULL::uuid AS project_id,
                   expires_ts, ARRAY['*'] AS permissions
            FROM control.auth_session_t WHERE token_prefix = ? AND active AND expires_ts > now()
            """;
    private static final String SETTING =
            "SELECT aggregate_version, value::text FROM control.setting_t WHERE host_id = ? AND name = ? AND active";
    private static final String PRICE = """
            SELECT aggregate_version, jsonb_strip_nulls(jsonb_build_object(
              'input', input, 'output', output, 'cacheRead', cache_read, 'cacheWrite', cache_write))::text AS value
            FROM control.price_t WHERE host_id = ? AND provider = ? AND model = ? AND active
            """;

    private final Transaction transaction;

    AccessRows(Transaction transaction) {
        this.transaction = transaction;
    }

    /** The keys of an outbox entry: the entry's own, or a person's accounts in all hosts. */
    List<String> keys(String entry) {
        if (!entry.startsWith("user/")) {
            return List.of(entry);
        }
        UUID user = Ids.parse(entry.substring("user/".length()));
        return transaction.query(
                "SELECT host_id FROM control.user_host_t WHERE user_id = ?",
                Columns.list(row -> Account.key(Columns.uuid(row, "host_id"), user)),
                user);
    }

    Optional<AccessRecord> read(String key) {
        String[] parts = key.split("/", 3);
        return switch (parts[0]) {
            case "account" -> account(Ids.parse(parts[1]), Ids.parse(parts[2]));
            case "project" -> first(PROJECT, AccessRows::project, parts[1]);
            case "member" -> member(Ids.parse(parts[1]), Ids.parse(parts[2]));
            case "key" ->
                first(API_KEY, row -> key(row, KeyKind.API_KEY, parts[1]), parts[1])
                        .or(() -> first(SIGN_IN, row -> key(row, KeyKind.SIGN_IN, parts[1]), parts[1]));
            case "setting" -> setting(Ids.parse(parts[1]), parts[2]);
            default -> throw new IllegalArgumentException("no such record: " + key);
        };
    }

    @FunctionalInterface
    private interface Mapper {
        @Nullable
        AccessRecord map(ResultSet row) throws SQLException;
    }

    private Optional<AccessRecord> first(String sql, Mapper mapper, Object... values) {
        return Optional.ofNullable(transaction.query(sql, row -> row.next() ? mapper.map(row) : null, values));
    }

    private Optional<AccessRecord> account(UUID host, UUID user) {
        return first(
                ACCOUNT,
                row -> new Account(
                        host,
                        user,
                        row.getLong("version"),
                        row.getString("username"),
                        row.getString("role").equals("admin"),
                        row.getBoolean("active") && row.getBoolean("in_host"),
                        row.getString("time_zone"),
                        row.getString("language"),
                        Columns.uuidOrNull(row, "erasure_id")),
                host,
                user);
    }

    private static @Nullable AccessRecord project(ResultSet row) throws SQLException {
        UUID erasure = Columns.uuidOrNull(row, "erasure_id");
        if (!row.getBoolean("active") && erasure == null) {
            return null;
        }
        return new Project(
                Columns.uuid(row, "host_id"),
                Columns.uuid(row, "project_id"),
                row.getLong("aggregate_version"),
                row.getString("project_key"),
                row.getString("name"),
                row.getObject("archived_ts") != null,
                row.getBoolean("shared"),
                row.getObject("days", Integer.class),
                row.getString("model"),
                erasure,
                guardrails(JsonColumns.tree(row.getString("guardrails"))),
                row.getBoolean("changes"),
                row.getString("checkout"));
    }

    /** Unreadable guardrails fail closed: everything is withheld, and the project stays published. */
    private static List<Guardrail> guardrails(JsonNode json) {
        try {
            return ProjectGuardrails.read(json);
        } catch (ApiException e) {
            LOG.atError()
                    .addKeyValue("reason", e.getMessage())
                    .log("guardrails of a project cannot be read; everything is withheld");
            return List.of(UNREADABLE);
        }
    }

    private Optional<AccessRecord> member(UUID project, UUID user) {
        return first(
                MEMBER,
                row -> row.getBoolean("active")
                        ? new Member(
                                Columns.uuid(row, "host_id"),
                                project,
                                user,
                                row.getLong("aggregate_version"),
                                Coded.of(ProjectRole.class, row.getString("role"))
                                        .orElseThrow(),
                                texts(row, "rules").stream()
                                        .map(AccessRows::rule)
                                        .toList())
                        : null,
                project,
                user);
    }

    private static Rule rule(String text) {
        int equals = text.indexOf('=');
        return new Rule(text.substring(0, equals), text.substring(equals + 1).equals("allow"));
    }

    private static AccessRecord key(ResultSet row, KeyKind kind, String prefix) throws SQLException {
        return new AccessKey(
                kind,
                Columns.uuid(row, "host_id"),
                Columns.uuid(row, "user_id"),
                Columns.uuid(row, "id"),
                row.getLong("aggregate_version"),
                prefix,
                HexFormat.of().formatHex(row.getBytes("hash")),
                Columns.uuidOrNull(row, "project_id"),
                texts(row, "permissions"),
                Columns.timeOrNull(row, "expires_ts"));
    }

    private Optional<AccessRecord> setting(UUID host, String name) {
        Mapper mapper = row -> new Setting(host, name, row.getLong("aggregate_version"), row.getString("value"));
        if (!HostSetting.isRead(name)) {
            return Optional.empty();
        }
        if (!name.startsWith(PriceJson.PREFIX)) {
            return first(SETTING, mapper, host, name);
        }
        String[] model = name.substring(PriceJson.PREFIX.length()).split("/", 2);
        return first(PRICE, mapper, host, model[0], model[1]);
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return Arrays.asList((String[]) row.getArray(column).getArray());
    }
}
