package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The control service's part of a person's data export: account, identities, memberships, keys, audit entries. */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class AccountData implements PersonalData {
    private static final int PAGE = 500;

    /** Rows of the caller as one array, without secrets. */
    private static final String ROWS = """
            WITH me AS (SELECT ?::uuid AS host, ?::uuid AS id)
            SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]') AS found FROM (%s) r
            """;

    private static final String IDENTITIES = """
            SELECT i.provider, i.subject, i.created_ts AS "createdAt"
            FROM control.auth_identity_t i JOIN me ON i.user_id = me.id ORDER BY i.provider
            """;
    private static final String MEMBERSHIPS = """
            SELECT p.project_key AS project, p.name, m.role, m.permissions, m.joined_ts AS "joinedAt"
            FROM me JOIN control.project_member_t m ON m.host_id = me.host AND m.user_id = me.id AND m.active
            JOIN control.project_t p ON p.host_id = m.host_id AND p.project_id = m.project_id AND p.erasure_id IS NULL
            ORDER BY m.joined_ts, p.project_key
            """;
    private static final String API_KEYS = """
            SELECT k.api_key_id AS id, k.name, k.key_prefix AS prefix, p.project_key AS project, k.permissions,
              k.usage_count AS "usageCount", k.last_used_ts AS "lastUsedAt", k.created_ts AS "createdAt",
              k.expires_ts AS "expiresAt", k.revoked_ts AS "revokedAt"
            FROM me JOIN control.api_key_t k ON k.host_id = me.host AND k.user_id = me.id
            LEFT JOIN control.project_t p ON p.host_id = k.host_id AND p.project_id = k.project_id
            ORDER BY k.created_ts, k.api_key_id
            """;
    private static final String SIGN_INS = """
            SELECT s.auth_session_id AS id, s.method, s.address, s.user_agent AS "userAgent", s.created_ts AS "createdAt",
              s.refresh_until_ts AS until
            FROM me JOIN control.auth_session_t s ON s.host_id = me.host AND s.user_id = me.id ORDER BY s.created_ts
            """;
    private static final String CREDENTIALS = """
            SELECT c.credential_id AS id, c.provider, c.name, c.last4, c.is_default AS "isDefault", c.created_ts AS "createdAt",
              c.update_ts AS "updatedAt"
            FROM me JOIN control.provider_credential_t c ON c.host_id = me.host AND c.user_id = me.id ORDER BY c.created_ts
            """;
    private static final String BUDGETS = """
            SELECT s.value AS budget, s.update_ts AS "updatedAt"
            FROM me JOIN control.setting_t s ON s.host_id = me.host AND s.name = 'budget/user/' || me.id
            """;
    private static final String AUDIT = """
            SELECT audit_log_id, event_ts, to_jsonb(r) - 'audit_log_id' - 'event_ts' AS entry FROM (
              SELECT audit_log_id, event_ts, event_ts AS at, source_type_id AS source, message0 AS action, message1 AS subject,
                success = 'Y' AS success, message, correlation_id AS "correlationId"
              FROM control.audit_log_t
              WHERE host_id = ? AND user_id = ? AND (event_ts, audit_log_id) < (?, ?)
              ORDER BY event_ts DESC, audit_log_id DESC LIMIT %d) r
            """.formatted(PAGE);

    private final Database database;
    private final People people;

    AccountData(Database database, People people) {
        this.database = database;
        this.people = people;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record AccountJson(
            Person person,
            JsonNode identities,
            JsonNode memberships,
            JsonNode apiKeys,
            JsonNode signIns,
            JsonNode credentials,
            JsonNode budgets) {}

    @Override
    public String part() {
        return "account";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        Person person = people.find(caller.host(), caller.person().user())
                .orElseThrow(() -> new IOException("the account no longer exists"));
        AccountJson account = database.in(
                caller.tenant(),
                transaction -> new AccountJson(
                        person,
                        rows(transaction, caller, IDENTITIES),
                        rows(transaction, caller, MEMBERSHIPS),
                        rows(transaction, caller, API_KEYS),
                        rows(transaction, caller, SIGN_INS),
                        rows(transaction, caller, CREDENTIALS),
                        rows(transaction, caller, BUDGETS)));
        archive.json("account.json", account);
        try (OutputStream out = archive.entry("audit.ndjson")) {
            writeAudit(caller, archive, out);
        }
    }

    private static JsonNode rows(Transaction transaction, Caller caller, String sql) {
        return transaction
                .query(
                        ROWS.formatted(sql),
                        Columns.first(row -> JsonColumns.json(row, "found")),
                        caller.host(),
                        caller.person().user())
                .orElseThrow();
    }

    private record AuditLine(UUID id, Instant at, JsonNode json) {
        static AuditLine of(ResultSet row) throws SQLException {
            return new AuditLine(
                    Columns.uuid(row, "audit_log_id"), Columns.time(row, "event_ts"), JsonColumns.json(row, "entry"));
        }
    }

    /** Writes the audit entries of the caller, newest first. */
    private void writeAudit(Caller caller, PersonalArchive archive, OutputStream out) throws IOException {
        AuditLine last = new AuditLine(new UUID(-1, -1), Instant.now().plusSeconds(1), JsonNode.nullNode());
        List<AuditLine> page;
        do {
            AuditLine after = last;
            page = database.in(
                    caller.tenant(),
                    transaction -> transaction.query(
                            AUDIT, Columns.list(AuditLine::of), caller.host(), caller.user(), after.at(), after.id()));
            for (AuditLine line : page) {
                archive.line(out, line.json());
                last = line;
            }
            archive.count("auditEntries", page.size());
        } while (page.size() == PAGE);
    }
}
