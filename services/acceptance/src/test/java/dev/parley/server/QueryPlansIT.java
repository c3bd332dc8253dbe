package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.database.Databases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Query plans of the statements that list requests send, on many rows: Postgres writes each plan to its log
 * ({@code auto_explain}) when the statement ends, under the statement's role, tenant and policies.
 */
@DisabledIfSystemProperty(
        named = "parley.containers",
        matches = "true",
        disabledReason = "reads the log of the embedded database")
class QueryPlansIT {
    /** The sixth execution prepares a statement on the server; from the eleventh on its plan may be generic. */
    private static final int TIMES = 12;

    private static final String PLAN = "  plan:";
    private static final int MANY = 5_000;
    private static final String HOST = "(SELECT host_id FROM sessions.agent_session_t WHERE session_key = 'web:talk')";
    private static final String PROJECT = HOST.replace("host_id", "project_id");

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;
    private static Api ann;
    private static Path log;
    private static String bank;

    @BeforeAll
    static void fillTheTables() throws Exception {
        servers = new Servers(folder);
        log = folder.resolve("infra").resolve("postgres.log");
        explainEverything();
        instance = servers.start("one");
        api = Api.of(instance);
        api.signUp("boss"); // the first user is the administrator
        ann = api.signUp("ann");
        api.say("web:talk", "!call echo {\"text\":\"x\"}\n!then\n!say done");
        bank = "/v1/banks/"
                + api.post("/v1/banks", Map.of("scope", "host"))
                        .json()
                        .path("id")
                        .asText();
        for (String text :
                List.of("Alice Miller plays chess with Bob Stone.", "Carla Young met Alice Miller in Bergen.")) {
            assertEquals(
                    200, api.post(bank + "/docs?wait=60s", Map.of("text", text)).status());
        }
        api.put("/v1/projects/default/files/content?path=/notes/one.txt", "one");
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/web:talk/messages").text().contains("\"done\"")
                        && !api.list(bank + "/entities?fresh=true").isEmpty());
        multiply();
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    /** Logs the plan of each statement of the application, but not of the owner. */
    private static void explainEverything() throws SQLException, IOException {
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE parley_app SET session_preload_libraries = 'auto_explain'");
            statement.execute("ALTER ROLE parley_app SET auto_explain.log_min_duration = 0");
        }
    }

    private static void multiply() throws SQLException, IOException {
        String alice = api.list(bank + "/entities?name=alice&fresh=true")
                .getFirst()
                .path("id")
                .asText();
        String bankId = bank.substring(bank.lastIndexOf('/') + 1);
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            statement.execute("SET session_replication_role = replica"); // skips foreign keys
            for (String sql : Stream.of("""
                INSERT INTO sessions.agent_session_t (host_id, project_id, session_id, session_key, epoch, slug, channel,
                  agent, bank_id, title, title_given, status, created_ts, aggregate_version, update_ts, update_user,
                  archived_ts, parent_session_id, user_id)
                SELECT host_id, project_id, gen_random_uuid(), 'm:' || n, 0, 'm-' || n, 'm', agent, bank_id, title, true,
                  CASE WHEN n % 10 = 0 THEN 'archived' ELSE 'active' END, created_ts - n * interval '1 second', 1,
                  update_ts, 'parley', CASE WHEN n % 10 = 0 THEN now() END,
                  CASE WHEN n % 5 = 1 THEN session_id END, CASE WHEN n % 10 = 2 THEN '$ann' END
                FROM sessions.agent_session_t, generate_series(1, $many) n WHERE session_key = 'web:talk'
                """, """
                INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, seq, position, role,
                  created_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), 0, 1001, 'user', created_ts, 1, update_ts,
                  'parley'
                FROM sessions.agent_session_t WHERE session_key LIKE 'm:%'
                """, """
                INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, seq, position, role,
                  created_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), 0, 1000 + n, 'user', created_ts, 1, update_ts,
                  'parley'
                FROM sessions.agent_session_t, generate_series(1, $many) n WHERE session_key = 'web:talk'
                """, """
                INSERT INTO sessions.agent_message_part_t (host_id, project_id, session_id, part_id, message_id, idx, kind,
                  content, tool_name, tool_status, executed_by, search_text, created_ts, aggregate_version, update_ts,
                  update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), message_id, k,
                  CASE k WHEN 0 THEN 'text' ELSE 'tool' END, '{"text":"words"}',
                  CASE k WHEN 1 THEN 'tool' || position % 50 END, CASE k WHEN 1 THEN 'completed' END,
                  CASE k WHEN 1 THEN 'parley' END, 'words', created_ts, 1, update_ts, 'parley'
                FROM sessions.agent_message_t, generate_series(0, 1) k WHERE position > 1000
                """, """
                INSERT INTO sessions.agent_turn_t (host_id, project_id, session_id, turn_id, turn_seq, origin, origin_ref,
                  mode, agent, user_message, state, created_ts, completed_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), 1, 'api', '', 'followup', agent, 'words',
                  CASE WHEN session_key LIKE 'm:%00' THEN 'QUEUED' ELSE 'COMPLETED' END, created_ts,
                  CASE WHEN session_key LIKE 'm:%00' THEN NULL ELSE created_ts END, 1, update_ts, 'parley'
                FROM sessions.agent_session_t WHERE session_key LIKE 'm:%'
                """, """
                INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, is_text, size, sha256, version, update_user)
                SELECT $host, $project, gen_random_uuid(), '/folder' || n % 100 || '/' || n,
                  CASE WHEN n % 200 = 0 THEN 'image/png' ELSE 'text/plain' END, true, 0, 'x', 1,
                  'test'
                FROM generate_series(1, $many) n
                """, """
                INSERT INTO memory.agent_memory_unit_t (host_id, unit_id, bank_id, content, event_date, fact_type, active)
                SELECT host_id, gen_random_uuid(), bank_id, 'Unit ' || n, now() - n * interval '1 minute', 'world', n % 10 > 0
                FROM memory.agent_memory_bank_t, generate_series(1, $many) n WHERE bank_id = '$bank'
                """, """
                INSERT INTO memory.agent_memory_entity_t (host_id, entity_id, bank_id, canonical_name)
                SELECT host_id, gen_random_uuid(), bank_id, 'Person ' || n
                FROM memory.agent_memory_bank_t, generate_series(1, $many) n WHERE bank_id = '$bank'
                """, """
                INSERT INTO memory.agent_memory_entity_cooccur_t (host_id, bank_id, entity_id_1, entity_id_2, cooccur_count)
                SELECT host_id, bank_id, least(entity_id, '$alice'), greatest(entity_id, '$alice'),
                  (random() * 100)::int
                FROM memory.agent_memory_entity_t WHERE canonical_name LIKE 'Person %'
                """, """
                INSERT INTO memory.agent_memory_entity_cooccur_t (host_id, bank_id, entity_id_1, entity_id_2, cooccur_count)
                SELECT host_id, bank_id, least(entity_id, next_id), greatest(entity_id, next_id), 1 FROM (
                  SELECT host_id, bank_id, entity_id, lead(entity_id) OVER (ORDER BY canonical_name) AS next_id
                  FROM memory.agent_memory_entity_t WHERE canonical_name LIKE 'Person %') pairs
                WHERE next_id IS NOT NULL
                """, """
                INSERT INTO control.user_t (user_id, username, update_user)
                SELECT md5('somebody ' || n)::uuid, 'somebody' || n, 'test' FROM generate_series(0, $many / 5) n
                """, """
                INSERT INTO control.user_host_t (host_id, user_id, role, update_user)
                SELECT $host, md5('somebody ' || n)::uuid, 'user', 'test' FROM generate_series(0, $many / 5) n
                """, """
                INSERT INTO control.api_key_t (host_id, api_key_id, user_id, name, key_prefix, key_hash, update_user)
                SELECT $host, gen_random_uuid(),
                  CASE WHEN n <= 3 THEN '$ann'::uuid ELSE md5('somebody ' || n % ($many / 5))::uuid END, 'key ' || n,
                  'test_' || n, sha256(n::text::bytea), 'test'
                FROM generate_series(1, $many) n
                """, """
                INSERT INTO control.provider_credential_t (host_id, credential_id, user_id, provider, name, sealed,
                  master_key_id, last4, update_user)
                SELECT $host, gen_random_uuid(),
                  CASE WHEN n <= 3 THEN '$ann'::uuid ELSE md5('somebody ' || n % ($many / 5))::uuid END, 'openai',
                  'key ' || n, '\\x00', 1, 'abcd', 'test'
                FROM generate_series(1, $many) n
                """, "ANALYZE")
                    .map(sql -> sql.replace("$many", Integer.toString(MANY))
                            .replace("$host", HOST)
                            .replace("$project", PROJECT)
                            .replace("$bank", bankId)
                            .replace("$alice", alice)
                            .replace("$ann", ann.get("/v1/me").json().path("id").asText()))
                    .toList()) {
                statement.execute(sql);
            }
        }
    }

    /** The plans of the statements of a request, for each execution. */
    private static List<String> plans(Api user, String path) throws IOException {
        long before = Files.size(log);
        for (int i = 0; i < TIMES; i++) {
            Api.Answer answer = user.get(path);
            assertEquals(200, answer.status(), answer.text());
            assertFalse(
                    answer.json().has("data") && answer.json().get("data").isEmpty(),
                    () -> path + ": " + answer.text());
        }
        String logged;
        try (var in = Files.newInputStream(log)) {
            in.skipNBytes(before);
            logged = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        var plans = new ArrayList<String>();
        for (String entry : logged.split("\n(?!\t)")) {
            int plan = entry.indexOf(PLAN);
            if (plan >= 0 && !entry.contains("SKIP LOCKED")) { // background work
                plans.add(entry.substring(plan + PLAN.length()));
            }
        }
        return plans;
    }

    /** Checks that each execution of a request reads the table by this index and never scans it. */
    private static void assertFinds(String path, String table, String... indexes) throws IOException {
        assertFinds(api, path, table, indexes);
    }

    private static void assertFinds(Api user, String path, String table, String... indexes) throws IOException {
        List<String> plans = plans(user, path).stream()
                .filter(plan -> plan.contains(" on " + table + " ") || plan.contains("FROM " + table))
                .filter(plan -> plan.contains("Query Text: SELECT"))
                .toList();
        List<String> used = plans.stream()
                .filter(plan -> Arrays.stream(indexes).allMatch(plan::contains))
                .toList();
        assertTrue(
                used.size() >= TIMES,
                () -> path + " uses " + List.of(indexes) + " " + used.size() + " times: "
                        + plans.stream().distinct().limit(3).toList());
        plans.forEach(plan -> assertFalse(plan.contains("Seq Scan on " + table), () -> path + ": " + plan));
    }

    @Test
    @Tag("I47")
    void sessionsAreListedByTheirIndexes() throws IOException {
        assertFinds("/v1/sessions", "agent_session_t", "idx_sessions_"); // almost all are active: either index is fine
        assertFinds("/v1/sessions?status=archived", "agent_session_t", "idx_sessions_status");
        assertFinds("/v1/sessions?channel=m", "agent_session_t", "idx_sessions_");
        assertFinds("/v1/sessions?includeArchived=true&includeDeleted=true", "agent_session_t", "idx_sessions_created");
        String next = api.get("/v1/sessions?limit=10").json().path("next").asText();
        assertFinds("/v1/sessions?limit=10&cursor=" + next, "agent_session_t", "idx_sessions_");
        String parent = api.get("/v1/sessions/web:talk").json().path("id").asText();
        assertFinds("/v1/sessions?limit=10&parentId=" + parent, "agent_session_t", "idx_sessions_parent");
    }

    @Test
    @Tag("I47")
    void sessionsOfAUserAreListedByTheirIndex() throws IOException {
        assertFinds(ann, "/v1/sessions", "agent_session_t", "idx_sessions_user");
        String next = ann.get("/v1/sessions?limit=10").json().path("next").asText();
        assertFinds(ann, "/v1/sessions?limit=10&cursor=" + next, "agent_session_t", "idx_sessions_user");
    }

    @Test
    @Tag("I47")
    void turnsOfAllSessionsAreListedByTheirIndexes() throws IOException {
        assertFinds("/v1/turns", "agent_turn_t", "idx_turns_created");
        assertFinds("/v1/turns?state=open", "agent_turn_t", "idx_turns_"); // either index is fine
        String next = api.get("/v1/turns?limit=10").json().path("next").asText();
        assertFinds("/v1/turns?limit=10&cursor=" + next, "agent_turn_t", "idx_turns_created");
    }

    /** Of the turns of a day only those of the last minutes are counted again, and the open ones. */
    @Test
    @Tag("B166")
    void anOverviewReadsOpenTurnsAndThoseOfTheLastMinutes() throws Exception {
        try (Connection connection = servers.superuser();
                Statement statement = connection.createStatement()) {
            // Given
            statement.execute("SET session_replication_role = replica");
            statement.execute("""
                INSERT INTO sessions.agent_turn_t (host_id, project_id, session_id, turn_id, turn_seq, origin, origin_ref,
                  mode, agent, user_message, state, created_ts, completed_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), 100 + n, 'api', 'many' || n, 'followup', agent, 'words',
                  'COMPLETED', now() - n * interval '1.2 seconds', now(), 1, update_ts, 'parley'
                FROM sessions.agent_session_t, generate_series(1, 70000) n WHERE session_key = 'web:talk'
                """);
            statement.execute("ANALYZE sessions.agent_turn_t");
            JsonNode turns = api.get("/v1/ops/overview").json().path("turns"); // counts the day

            // Then
            assertTrue(turns.path("COMPLETED").asLong() > 70_000, turns.toString());
            assertFinds("/v1/ops/overview", "agent_turn_t", "idx_turns_open");
            assertFinds("/v1/ops/overview", "agent_turn_t", "idx_turns_created");
            statement.execute("DELETE FROM sessions.agent_turn_t WHERE origin_ref LIKE 'many%'");
            statement.execute("ANALYZE sessions.agent_turn_t");
        }
    }

    @Test
    @Tag("I60")
    void messagesArePagedByTheirIndexBothWays() throws IOException {
        String messages = "/v1/sessions/web:talk/messages?limit=10";
        for (String order : List.of("asc", "desc")) {
            JsonNode page = api.get(messages + "&order=" + order).json();
            String cursor = "&cursor=" + page.path("next").asText();
            assertFinds(messages + "&order=" + order, "agent_message_t", "idx_messages_session");
            assertFinds(messages + "&order=" + order + cursor, "agent_message_t", "idx_messages_session");
            assertFinds(messages + "&order=" + order, "agent_message_part_t", "idx_parts_message");
        }
    }

    @Test
    @Tag("I78")
    void usesOfAToolAreFoundByTheirIndex() throws IOException {
        assertFinds("/v1/ops/tools/echo/calls", "agent_message_part_t", "idx_parts_tool");
        assertFinds("/v1/ops/tools/tool7/calls", "agent_message_part_t", "idx_parts_tool");
    }

    @Test
    @Tag("I102")
    void filesOfAFolderAreFoundByTheirIndex() throws IOException {
        String files = "/v1/projects/default/files";
        assertFinds(files + "?prefix=/folder7/", "file_t", "uq_file_path", "((path)::text >= ");
        assertFinds(files + "?prefix=/folder7/&glob=/folder7/*07", "file_t", "uq_file_path", "((path)::text >= ");
        assertFinds(files, "file_t", "uq_file_path");
        assertFinds(files + "?type=image/png", "file_t", "idx_files_type", "((mime)::text >= ");
        assertFinds(files + "?type=image/*", "file_t", "idx_files_type", "((mime)::text >= ");
    }

    @Test
    @Tag("I33a")
    void keysAndCredentialsOfAUserAreFoundByTheirIndexes() throws Exception {
        // Then
        assertFinds(ann, "/v1/api-keys", "api_key_t", "idx_api_keys_user");
        assertFinds(ann, "/v1/credentials", "provider_credential_t", "user_id = ", "Index ");
        String id = ann.get("/v1/me").json().path("id").asText();
        try (Connection connection =
                        Databases.single(servers.database().owner()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            for (String table : List.of("api_key_t", "provider_credential_t")) { // deleted with an account
                try (var plan =
                        statement.executeQuery("EXPLAIN DELETE FROM control.%s WHERE host_id = %s AND user_id = '%s'"
                                .formatted(table, HOST, id))) {
                    var lines = new StringBuilder();
                    while (plan.next()) {
                        lines.append(plan.getString(1)).append('\n');
                    }
                    assertFalse(lines.toString().contains("Seq Scan on " + table), lines.toString());
                }
            }
        }
    }

    @Test
    @Tag("M17")
    void unitsOfABankAreListedByTheirIndex() throws IOException {
        assertFinds(bank + "/units", "agent_memory_unit_t", "idx_mem_unit_bank");
        assertFinds(bank + "/units?type=world", "agent_memory_unit_t", "idx_mem_unit_bank");
        assertFinds(bank + "/units?state=retired", "agent_memory_unit_t", "idx_mem_unit_retired");
        String next = api.get(bank + "/units?limit=10").json().path("next").asText();
        assertFinds(bank + "/units?limit=10&cursor=" + next, "agent_memory_unit_t", "idx_mem_unit_bank");
    }

    @Test
    @Tag("M21")
    void neighboursOfAnEntityAreFoundByTheirIndexes() throws IOException {
        // Then
        for (String name : List.of("alice", "person 77")) {
            String id = api.get(bank + "/entities?name=" + name.replace(" ", "%20"))
                    .json()
                    .at("/data/0/id")
                    .asText();
            assertFinds(
                    bank + "/entities/" + id + "/neighbours?limit=10",
                    "agent_memory_entity_cooccur_t",
                    "idx_mem_cooccur_e1",
                    "idx_mem_cooccur_e2");
        }
    }
}
