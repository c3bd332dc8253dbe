package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodyLimits;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.HttpGate;
import dev.parley.platform.http.limit.RequestCosts;
import dev.parley.server.Api.Answer;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access control of two instances: one stores users and projects, the other one consumes them from a topic. */
class AccessIT {
    private static final String PASSWORD = "correct horse";

    /** Fields with which people say why. */
    private static final List<String> COMMENTS = List.of("reason", "comment", "note");

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance one;
    private static Instance two;
    private static Api admin;
    private static int people;

    @BeforeAll
    static void start() throws IOException {
        servers = new Servers(folder);
        one = servers.start("one");
        var environment = servers.environment("two", 2);
        environment.put("PARLEY_ROLES", "channels");
        Path closed = Files.writeString(folder.resolve("closed.yml"), "http: { publicRegistry: false }\n");
        environment.put("PARLEY_CONFIG", closed.toString());
        two = Instances.start(environment);
        admin = Api.of(one);
        person(); // the first one is administrator
    }

    @AfterAll
    static void stop() {
        two.close();
        one.close();
        servers.close();
    }

    /** A new signed-in user. */
    private record Person(String id, String name, Api api) {
        /** Their API at the other instance. */
        Api elsewhere() {
            return new Api(two.url(), api.key());
        }
    }

    private static Person person() {
        String name = "person" + ++people;
        var account = admin.register(Map.of("username", name, "password", PASSWORD));
        return new Person(account.id(), name, account.api());
    }

    private static String project(Person owner) {
        return owner.api().project("P");
    }

    private static Person addMember(String project, Person owner, String role) {
        Person member = person();
        owner.api().create("/v1/projects/" + project + "/members", Map.of("user", member.id(), "role", role));
        return member;
    }

    @Test
    @Tag("H3")
    void foreignKeysStayWithinTheTablesOfAService() throws Exception {
        assertNotEquals("0", sql("SELECT count(*) FROM pg_constraint WHERE contype = 'f'"));
        assertEquals(null, sql("""
            SELECT string_agg(conrelid::regclass || ' ' || conname, ', ') FROM pg_constraint
            JOIN pg_class own ON own.oid = conrelid JOIN pg_class other ON other.oid = confrelid
            WHERE contype = 'f' AND own.relnamespace <> other.relnamespace\
            """));
    }

    // ---- what people say about their requests

    /** Walks over all requests that can say why; a route that reads the reason without the audit log is found. */
    @Test
    @Tag("B140")
    void whatPeopleSayAboutTheirRequestsIsInTheAuditLog() {
        // Given
        String project = admin.project("said");

        // When
        var said = new TreeMap<String, String>();
        one.beans()
                .getBean(Router.class)
                .uriRoutes()
                .filter(route -> !route.getHttpMethodName().equals("GET"))
                .forEach(route -> COMMENTS.forEach(field -> say(route, field, project)
                        .ifPresent(comment -> said.put(
                                route.getHttpMethodName() + " "
                                        + route.getUriMatchTemplate().toPathString() + " " + field,
                                comment))));

        // Then
        assertTrue(
                said.keySet()
                        .containsAll(Set.of(
                                "POST /v1/sessions/{key}/turns/{id}/cancel reason",
                                "DELETE /v1/sessions/{key}/run reason",
                                "POST /v1/processes/{id}/skip reason",
                                "POST /v1/tasks/{id}/complete comment")),
                said::toString);
        Awaitility.await().untilAsserted(() -> {
            String recorded = sql("SELECT string_agg(user_comment, ' ') FROM control.audit_log_t");
            assertEquals(
                    List.of(),
                    said.entrySet().stream()
                            .filter(entry -> !String.valueOf(recorded).contains(entry.getValue()))
                            .map(Map.Entry::getKey)
                            .toList());
        });
    }

    /** Sends the request with a comment in this field, if it has the field; returns the comment. */
    private static Optional<String> say(UriRouteInfo<?, ?> route, String field, String project) {
        Optional<Argument<?>> body = route.getRequestBodyType();
        boolean inQuery = Stream.of(route.getTargetMethod().getArguments())
                .anyMatch(
                        argument -> argument.getName().equals(field) && argument.isAnnotationPresent(QueryValue.class));
        boolean inBody = body.map(Argument::getType)
                .filter(type -> type == String.class || hasText(type, field))
                .isPresent();
        if (!inQuery && !inBody) {
            return Optional.empty();
        }
        String comment = UUID.randomUUID().toString();
        String path = route.getUriMatchTemplate()
                .toPathString()
                .replace("{project}", project)
                .replaceAll("\\{[^{}]*}", UUID.randomUUID().toString());
        Person person = person(); // failures of one person are limited in the log
        admin.send("PATCH", "/v1/users/" + person.id(), Map.of("role", "admin"), Map.of("If-Match", "*"));
        String method = route.getHttpMethodName();
        if (inQuery) {
            person.api().send(method, path + "?" + field + "=" + comment, null, Map.of());
            return Optional.of(comment);
        }
        int status = person.api()
                .send(method, path, Map.of(field, comment), Map.of())
                .status();
        if (body.orElseThrow().getType() != String.class) {
            return Optional.of(comment);
        }
        int unknown = person.api()
                .send(method, path, Map.of("unknown", comment), Map.of())
                .status();
        return status != 400 && unknown == 400 ? Optional.of(comment) : Optional.empty();
    }

    private static boolean hasText(Class<?> type, String field) {
        return type.isRecord()
                && Stream.of(type.getRecordComponents())
                        .anyMatch(
                                component -> component.getName().equals(field) && component.getType() == String.class);
    }

    // ---- people

    @Test
    @Tag("I6")
    @Tag("I7")
    @Tag("W4")
    void userChangesOwnProfileAndPreferencesButNotOwnRole() throws Exception {
        // Given
        Person ada = person();
        String project = project(ada);

        // When
        ada.api().patch("/v1/me/preferences", Map.of("theme", "dark"));
        ada.api().patch("/v1/me/preferences", Map.of("size", 3));
        Answer avatar =
                ada.api().patch("/v1/me", Map.of("avatarUrl", "https://x.org/a.png", "timeZone", "Europe/Berlin"));

        // Then
        JsonNode me = ada.api().get("/v1/me").json();
        assertEquals("{\"size\":3,\"theme\":\"dark\"}", me.get("preferences").toString());
        assertEquals(200, avatar.status(), avatar.text());
        assertEquals(
                "https://x.org/a.png",
                ada.api()
                        .list("/v1/projects/" + project + "/members")
                        .getFirst()
                        .get("avatarUrl")
                        .asText());
        assertEquals("Europe/Berlin", me.get("timeZone").asText());
        assertEquals(ada.id(), sql("SELECT update_user FROM control.user_t WHERE user_id = '" + ada.id() + "'"));
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("timeZone", "Mars/Olympus"),
                Map.of("language", "not a language"),
                Map.of("avatarUrl", "javascript:alert(1)"),
                Map.of("email", "nobody"),
                Map.of("role", "admin"))) {
            assertEquals(400, ada.api().patch("/v1/me", wrong).status(), wrong.toString());
        }
        assertEquals(400, ada.api().patch("/v1/me/preferences", "[1]").status());
    }

    private static String sql(String query) throws Exception {
        try (var connection = java.sql.DriverManager.getConnection(
                        servers.database().owner().url(),
                        servers.database().owner().user(),
                        servers.database().owner().password());
                var statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            try (var row = statement.executeQuery(query)) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    @Test
    @Tag("W39")
    void auditFindsTheEntriesOfARequestByItsCorrelationId() {
        // Given
        Person ann = person();
        var id = Map.of("X-Correlation-Id", "order-4711");

        // When
        Answer created = ann.api().post("/v1/projects", Map.of("name", "Q"), id);
        ann.api()
                .post(
                        "/v1/projects/" + created.json().get("key").asText() + "/members",
                        Map.of("user", person().id(), "role", "viewer"),
                        id);
        Answer refused = ann.api().get("/v1/users");
        Answer wrong = admin.post("/v1/auth/login", Map.of("username", ann.name(), "password", "wrong"));

        // Then the entries are in order, with the prefix of the key
        List<JsonNode> entries = admin.list("/v1/audit?correlationId=order-4711");
        assertEquals(
                List.of("member", "project"),
                entries.stream().map(entry -> entry.get("source").asText()).toList());
        assertTrue(ann.api().key().startsWith(entries.getFirst().get("key").asText()));

        // Then refused and failed requests have entries, too
        assertEquals(403, refused.status());
        assertEquals(401, wrong.status());
        Awaitility.await()
                .until(() ->
                        admin.list("/v1/audit?source=request&user=" + ann.id()).size() == 1);
        assertFalse(admin.list("/v1/audit?source=request&user=" + ann.id())
                .getFirst()
                .get("success")
                .asBoolean());
        assertEquals(
                1,
                admin.list("/v1/audit?source=sign-in&user=" + ann.id()).stream()
                        .filter(entry -> !entry.get("success").asBoolean())
                        .count());
    }

    @Test
    @Tag("W39")
    void auditsSessionActionsOfBothInstances() {
        // Given
        Person ann = person();
        String project = project(ann);
        String session = "/v1/projects/" + project + "/sessions/audited";
        assertEquals(200, ann.api().turn(session, Map.of("text", "zanzibar")).status());

        // When
        ann.api().post(session + "/share", Map.of());
        ann.elsewhere().patch(session, Map.of("title", "secret title"));
        ann.elsewhere().delete(session + "/run");
        UUID call = UUID.randomUUID();
        ann.api().post("/v1/projects/" + project + "/tool-calls/" + call + "/decide", Map.of("outcome", "happened"));
        Answer refused = ann.elsewhere().get("/v1/bots");

        // Then
        assertEquals(403, refused.status(), refused.text());
        Awaitility.await().untilAsserted(() -> {
            List<JsonNode> entries = admin.list("/v1/audit?user=" + ann.id());
            var actions = entries.stream()
                    .map(entry -> entry.get("source").asText() + " "
                            + entry.get("action").asText() + " "
                            + entry.get("subject").asText() + " "
                            + entry.get("success").asBoolean())
                    .toList();
            assertTrue(
                    actions.containsAll(List.of(
                            "session share audited true",
                            "session change audited true",
                            "turn cancel audited false",
                            "tool-call decide " + call + " false",
                            "request refuse GET /v1/bots false")),
                    actions.toString());
            assertFalse(entries.toString().contains("secret title"));
        });
        assertEquals(
                2,
                ann.api().list("/v1/audit?source=session&project=" + project).size(),
                "who leads the project reads its own");
    }

    @Test
    @Tag("W1")
    void hostsCannotSeeEachOthersUsersProjectsOrSessions() {
        // Given two hosts
        Person ann = person();
        String annsProject = project(ann);
        ann.api().say("web:ann", "my secret is wombat");
        var founder = Map.of("username", "bea", "password", PASSWORD);
        Answer created = admin.create("/v1/hosts", Map.of("key", "second", "name", "Second", "administrator", founder));
        Answer repeated = admin.post("/v1/hosts", Map.of("key", "second", "name", "x", "administrator", founder));
        assertEquals(409, repeated.status(), repeated.text());
        Api bea = new Api(
                one.url(),
                admin.post("/v1/auth/login", founder).json().get("token").asText());

        // When
        JsonNode turn = bea.say("web:ann", "hello");

        // Then each host has a session of this name, and cannot see the other one
        assertEquals("COMPLETED", turn.get("state").asText());
        assertEquals(
                List.of("bea"),
                bea.list("/v1/users").stream()
                        .map(user -> user.get("username").asText())
                        .toList());
        Awaitility.await().until(() -> bea.list("/v1/sessions").size() == 1);
        assertEquals(1, bea.list("/v1/projects").size(), "its default one");
        String theirs = "/v1/projects/" + created.json().get("id").asText() + "/sessions";
        for (String path : List.of(
                "/v1/users/" + ann.id(),
                "/v1/projects/" + annsProject,
                "/v1/projects/default/sessions",
                "/v1/projects/default")) {
            assertEquals(404, bea.get(path).status(), path);
        }
        assertEquals(
                404,
                bea.post("/v1/projects/default/sessions/web:ann/turns", Map.of("text", "x"))
                        .status());
        for (String path : List.of(theirs, theirs + "/web:ann")) {
            assertEquals(404, admin.get(path).status(), path);
            assertEquals(404, ann.api().get(path).status(), path);
        }
        assertFalse(bea.get("/v1/sessions/web:ann/messages").text().contains("wombat"));
        assertFalse(bea.get("/v1/audit").text().contains(ann.id()));
        assertEquals(403, bea.get("/v1/hosts").status(), "hosts are the operators'");
        assertEquals(403, bea.get("/v1/dead-letters").status(), "they are of all hosts");
        assertEquals(403, bea.get("/v1/topics").status(), "they are of all hosts");
        assertEquals(403, bea.get("/v1/topics/turn-events/records").status());
        assertEquals(403, bea.post("/v1/dead-letters/redrive", Map.of()).status());

        // When it is closed
        String etag = admin.get("/v1/hosts/second").etag();
        Answer closed = admin.patch("/v1/hosts/second", Map.of("active", false), Map.of("If-Match", etag));

        // Then
        assertEquals(200, closed.status(), closed.text());
        Awaitility.await().until(() -> bea.get("/v1/me").status() == 401);
        assertEquals(401, admin.post("/v1/auth/login", founder).status());
    }

    @Test
    @Tag("I13")
    void removingAProjectOwnerNeedsANewOwner() throws Exception {
        // Given
        Person owner = person();
        Person heir = person();
        String project = project(owner);

        // When
        Answer withoutHeir = admin.delete("/v1/users/" + owner.id());
        Answer withHeir = admin.delete("/v1/users/" + owner.id() + "?reassignTo=" + heir.id());

        // Then
        assertEquals(409, withoutHeir.status(), withoutHeir.text());
        assertEquals("owns_projects", withoutHeir.code());
        assertEquals(204, withHeir.status(), withHeir.text());
        assertEquals(
                heir.id(),
                heir.api().get("/v1/projects/" + project).json().get("owner").asText());
        assertEquals("0", sql("SELECT count(*) FROM control.project_t WHERE owner_id = '" + owner.id() + "'"));
        assertEquals(401, owner.api().get("/v1/me").status(), "their sign-in has ended");
        assertEquals(
                401,
                admin.post("/v1/auth/login", Map.of("username", owner.name(), "password", PASSWORD))
                        .status());
        assertTrue(admin.list("/v1/users?name=" + owner.name()).stream()
                .noneMatch(user -> user.get("id").asText().equals(owner.id())));
        JsonNode removed = admin.list("/v1/users?includeInactive=true&name=" + owner.name())
                .getFirst();
        assertFalse(removed.get("active").asBoolean());

        // When the user is restored
        assertEquals(404, admin.get("/v1/users/" + owner.id()).status());
        Answer inactive = admin.get("/v1/users/" + owner.id() + "?includeInactive=true");
        Answer back = admin.send(
                "PATCH", "/v1/users/" + owner.id(), Map.of("active", true), Map.of("If-Match", inactive.etag()));

        // Then
        assertEquals(200, back.status(), back.text());
        assertEquals(
                200,
                admin.post("/v1/auth/login", Map.of("username", owner.name(), "password", PASSWORD))
                        .status());
    }

    // ---- removal and restoration

    /**
     * A row that can be removed and restored.
     *
     * @param path to be deleted
     * @param shown path of the single row, or null
     * @param list path of its list
     * @param mark text that identifies it in the list
     * @param row its table and condition
     * @param back restores it
     */
    private record Removable(String path, String shown, String list, String mark, String row, Supplier<Answer> back) {
        List<JsonNode> found(String query) {
            Answer answer = admin.get(list + (list.contains("?") ? "&" : "?") + query);
            assertEquals(200, answer.status(), answer.text());
            return Api.rows(answer).stream()
                    .filter(row -> row.toString().contains("\"" + mark + "\""))
                    .toList();
        }

        String state() throws Exception {
            return sql("SELECT active || ' ' || aggregate_version FROM control." + row);
        }
    }

    private static List<Removable> removables() {
        Person ann = person();
        String members = "/v1/projects/" + project(person()) + "/members";
        Supplier<Answer> addMember = () -> admin.post(members, Map.of("user", ann.id(), "role", "viewer"));
        String user = "/v1/users/" + ann.id();
        String setting = "/v1/settings/registration";
        Supplier<Answer> setSetting = () -> admin.send("PUT", setting, "\"open\"", Map.of());
        String price = "/v1/prices/router/removed-1";
        Supplier<Answer> setPrice = () -> admin.send("PUT", price, Map.of("input", 1, "output", 2), Map.of());
        Stream.of(addMember, setSetting, setPrice)
                .map(Supplier::get)
                .forEach(created -> assertEquals(2, created.status() / 100, created.text()));
        return List.of(
                new Removable(
                        members + "/" + ann.id(),
                        null,
                        members,
                        ann.id(),
                        "project_member_t WHERE user_id = '%s' AND role = 'viewer'".formatted(ann.id()),
                        addMember),
                new Removable(
                        setting,
                        setting,
                        "/v1/settings",
                        "registration",
                        "setting_t WHERE name = 'registration'",
                        setSetting),
                new Removable(price, price, "/v1/prices", "removed-1", "price_t WHERE model = 'removed-1'", setPrice),
                new Removable(
                        user,
                        user,
                        "/v1/users?name=" + ann.name(),
                        ann.id(),
                        "user_host_t WHERE user_id = '%s'".formatted(ann.id()),
                        () -> admin.patch(
                                user,
                                Map.of("active", true),
                                Map.of(
                                        "If-Match",
                                        admin.get(user + "?includeInactive=true")
                                                .etag()))));
    }

    @Test
    @Tag("W3")
    @Tag("W2")
    void removedRowsAreHiddenAndCanBeRestored() throws Exception {
        for (Removable removable : removables()) {
            // Given
            assertEquals(1, removable.found("").size(), removable.list());
            assertEquals("true 1", removable.state());

            // When
            assertEquals(204, admin.delete(removable.path()).status(), removable.path());

            // Then it is hidden, and kept
            assertEquals(List.of(), removable.found(""));
            if (removable.shown() != null) {
                assertEquals(404, admin.get(removable.shown()).status(), removable.shown());
            }
            JsonNode removed = removable.found("includeInactive=true").getFirst();
            assertFalse(removed.get("active").asBoolean(), removed.toString());
            assertEquals("false 2", removable.state());

            // When
            Answer back = removable.back().get();

            // Then it is the same row again
            assertEquals(2, back.status() / 100, back.text());
            assertTrue(removable.found("").getFirst().get("active").asBoolean());
            assertEquals("true 3", removable.state());
        }
    }

    @Test
    @Tag("W3")
    void restoredUserKeepsUsernameAndMemberships() {
        // Given
        Person owner = person();
        String project = "/v1/projects/" + project(owner);
        Person ann = person();
        owner.api().post(project + "/members", Map.of("user", ann.id()));

        // When
        assertEquals(204, admin.delete("/v1/users/" + ann.id()).status());

        // Then they are in no project, and their name stays reserved
        assertEquals(1, owner.api().list(project + "/members").size());
        assertEquals(
                404,
                owner.api()
                        .post(project + "/transfer", Map.of("user", ann.id()))
                        .status());
        Answer duplicate = admin.post("/v1/auth/register", Map.of("username", ann.name(), "password", PASSWORD));
        assertEquals(409, duplicate.status());
        assertEquals("username_taken", duplicate.code());

        // When
        admin.patch("/v1/users/" + ann.id(), Map.of("active", true), Map.of("If-Match", "*"));

        // Then memberships are restored, but not keys and sign-ins
        assertEquals(2, owner.api().list(project + "/members").size());
        assertEquals(401, ann.api().get("/v1/me").status(), "sign-ins and keys have ended");
        Answer login = admin.post("/v1/auth/login", Map.of("username", ann.name(), "password", PASSWORD));
        assertEquals(
                200,
                new Api(one.url(), login.json().get("token").asText())
                        .get(project)
                        .status());
    }

    @Test
    @Tag("W3")
    void reopenedHostKeepsItsUsersAndSessions() {
        // Given
        var founder = Map.of("username", "cleo", "password", PASSWORD);
        var third = Map.of("key", "third", "name", "Third", "administrator", founder);
        Answer created = admin.post("/v1/hosts", third);
        Api cleo = new Api(
                one.url(),
                admin.post("/v1/auth/login", founder).json().get("token").asText());
        cleo.say("web:cleo", "hello");
        assertEquals(405, admin.delete("/v1/hosts/third").status(), "a host is closed, not removed");

        // When
        Answer closed = admin.patch("/v1/hosts/third", Map.of("active", false), Map.of("If-Match", created.etag()));

        // Then its users have no access, and operators see it as closed
        Awaitility.await().until(() -> cleo.get("/v1/me").status() == 401);
        assertFalse(admin.get("/v1/hosts/third").json().get("active").asBoolean());
        assertEquals(409, admin.post("/v1/hosts", third).status());

        // When
        Answer opened = admin.patch("/v1/hosts/third", Map.of("active", true), Map.of("If-Match", closed.etag()));

        // Then
        assertEquals(200, opened.status(), opened.text());
        Awaitility.await().until(() -> cleo.get("/v1/me").status() == 200);
        Awaitility.await()
                .until(() -> cleo.list("/v1/sessions/web:cleo/messages").size() == 2);
        assertEquals(
                409,
                admin.patch("/v1/hosts/default", Map.of("active", false), Map.of("If-Match", "*"))
                        .status());
    }

    @Test
    void rejectsMoreThanAHundredKeysPerUser() {
        // Given
        Person ann = person();
        String last = "";
        for (int i = 0; i < 100; i++) {
            Answer created = ann.api().create("/v1/api-keys", Map.of("name", "robot " + i));
            last = created.json().get("id").asText();
        }

        // Then
        Answer refused = ann.api().post("/v1/api-keys", Map.of("name", "one more"));
        assertEquals(409, refused.status());
        assertEquals("too_many", refused.code());

        // When
        ann.api().delete("/v1/api-keys/" + last);

        // Then
        assertEquals(
                201, ann.api().post("/v1/api-keys", Map.of("name", "instead")).status());
    }

    @Test
    @Tag("W3")
    void deletedKeysAndCredentialsCannotBeRestored() throws Exception {
        // Given
        Person ann = person();
        var key = Map.of("name", "robot");
        JsonNode robot = ann.api().post("/v1/api-keys", key).json();
        String keyPath = "/v1/api-keys/" + robot.get("id").asText();
        var credential = Map.of("provider", "openai", "name", "mine", "apiKey", "sk-sentinel-removed");
        Answer created = ann.api().create("/v1/credentials", credential);
        String id = created.json().get("id").asText();

        // When
        assertEquals(204, ann.api().delete(keyPath).status());
        assertEquals(204, ann.api().delete("/v1/credentials/" + id).status());

        // Then the key is kept for the record, and cannot be restored
        assertFalse(ann.api().get(keyPath).json().get("revokedAt").isNull());
        assertEquals(204, ann.api().delete(keyPath).status(), "twice is once");
        assertEquals(405, ann.api().patch(keyPath, Map.of("active", true)).status());
        assertEquals(
                401,
                new Api(one.url(), robot.get("apiKey").asText()).get("/v1/me").status());

        // Then nothing is left of the credential
        assertEquals(404, ann.api().get("/v1/credentials/" + id).status());
        assertEquals(404, ann.api().delete("/v1/credentials/" + id).status());
        assertEquals("0", sql("SELECT count(*) FROM control.provider_credential_t WHERE credential_id = '" + id + "'"));

        // Then the same names create new ones
        assertNotEquals(
                robot.get("id"), ann.api().post("/v1/api-keys", key).json().get("id"));
        assertNotEquals(
                id,
                ann.api().post("/v1/credentials", credential).json().get("id").asText());
    }

    // ---- projects

    @Test
    @Tag("I10")
    @Tag("I119")
    @Tag("W2")
    void projectChangeNeedsTheCurrentEtag() {
        // Given
        Person owner = person();
        String path = "/v1/projects/" + project(owner);
        Answer first = owner.api().get(path);
        String settings = "{\"a\":{\"b\":[1,2.5,null,\"ü\"],\"c\":true},\"sessions\":\"own\"}";

        // When
        Answer none = owner.api().send("PUT", path + "/settings", settings, Map.of());
        Answer set = owner.api().send("PUT", path + "/settings", settings, Map.of("If-Match", first.etag()));
        Answer stale = owner.api().send("PUT", path + "/settings", "{}", Map.of("If-Match", first.etag()));

        // Then
        assertEquals("\"1\"", first.etag());
        assertEquals(428, none.status(), none.text());
        assertEquals(200, set.status(), set.text());
        assertEquals(412, stale.status());
        assertEquals("\"2\"", stale.etag(), "the version that there is now");
        assertEquals(settings, owner.api().get(path).json().get("settings").toString());
        assertEquals(
                400,
                owner.api()
                        .send("PATCH", path, Map.of("name", ""), Map.of("If-Match", "*"))
                        .status());
        assertEquals(
                400,
                owner.api()
                        .send("PATCH", path, Map.of("name", "x"), Map.of("If-Match", "two"))
                        .status());
        assertEquals(
                400,
                owner.api()
                        .send("PUT", path + "/settings", "[]", Map.of("If-Match", "*"))
                        .status());
        Answer slip = owner.api().send("PUT", path + "/settings", "{\"retentiondays\":3}", Map.of("If-Match", "*"));
        assertEquals(400, slip.status());
        assertTrue(slip.text().contains("did you mean 'retentionDays'"), slip.text());
    }

    @Test
    @Tag("I11")
    void remoteProjectKeepsFilesInTheBlobStoreOnly() throws IOException {
        // Given
        Api owner = person().api();
        Answer created = owner.post("/v1/projects", Map.of("name", "R", "type", "remote"));
        String file =
                "/v1/projects/" + created.json().path("id").asText() + "/files/content?path=/notes/remote-notes.md";

        // When
        Answer response = owner.put(file, "kept in the store");

        // Then
        assertEquals(2, response.status() / 100, response.text());
        assertEquals("kept in the store", owner.get(file).text());
        try (Stream<Path> files = Files.walk(folder)) {
            assertEquals(
                    List.of(),
                    files.filter(path -> path.toString().contains("remote-notes"))
                            .toList());
        }
    }

    @Test
    @Tag("I12")
    void validatesTheProjectTypeAndTheUniqueExternalKey() {
        // Given
        Person owner = person();
        Person other = person();
        var git = Map.of("name", "G", "type", "git", "path", "/one", "externalKey", "0123abcd");

        // Then
        assertEquals(
                400,
                owner.api()
                        .post("/v1/projects", Map.of("name", "L", "type", "local"))
                        .status());
        assertEquals(
                400,
                owner.api()
                        .post("/v1/projects", Map.of("name", "G", "type", "git"))
                        .status());
        assertEquals(
                400,
                owner.api()
                        .post("/v1/projects", Map.of("name", "X", "type", "odd"))
                        .status());
        assertEquals(
                400, owner.api().post("/v1/projects", Map.of("type", "remote")).status());
        Answer first = owner.api().post("/v1/projects", git);
        Answer repeated = owner.api()
                .post("/v1/projects", Map.of("name", "H", "type", "git", "path", "/two", "externalKey", "0123abcd"));
        assertEquals(201, first.status(), first.text());
        assertEquals(200, repeated.status(), repeated.text());
        assertEquals(first.json().get("id"), repeated.json().get("id"));
        assertEquals(409, other.api().post("/v1/projects", git).status(), "it is not shown to somebody else");
        assertEquals(1, owner.api().list("/v1/projects?path=/one").size());
    }

    @Test
    @Tag("W3")
    void archivedProjectRejectsTurnsUntilRestored() {
        // Given
        Person owner = person();
        var body = Map.of("name", "P", "externalKey", "rests");
        String project =
                owner.api().post("/v1/projects", body).json().get("key").asText();
        String path = "/v1/projects/" + project;
        assertEquals(
                200,
                owner.api().turn(path + "/sessions/a", Map.of("text", "hello")).status());

        // When
        assertEquals(204, owner.api().delete(path).status());

        // Then
        assertFalse(ids(owner.api().list("/v1/projects")).contains(project));
        assertTrue(ids(owner.api().list("/v1/projects?includeArchived=true")).contains(project));
        Answer refused = owner.api().post(path + "/sessions/a/turns", Map.of("text", "hello"));
        assertEquals(409, refused.status());
        assertEquals("project_archived", refused.code());
        assertEquals(200, owner.api().get(path + "/sessions/a").status(), "what is in it stays");
        Answer reopened = owner.api().post("/v1/projects", body);
        assertEquals(200, reopened.status(), "to open it is not to restore it");
        assertEquals(project, reopened.json().get("key").asText());
        assertFalse(reopened.json().get("archivedAt").isNull());

        // When
        assertEquals(200, owner.api().post(path + "/restore", Map.of()).status());

        // Then
        assertEquals(
                202,
                owner.api()
                        .post(path + "/sessions/a/turns", Map.of("text", "hello"))
                        .status());
    }

    private static List<String> ids(List<JsonNode> rows) {
        return rows.stream().map(row -> row.get("id").asText()).toList();
    }

    @Test
    @Tag("I16")
    @Tag("I17")
    void membersAreAddedAndRemovedButTheOwnerIsNot() {
        // Given
        Person owner = person();
        String project = project(owner);
        String members = "/v1/projects/" + project + "/members";
        Person member = person();

        // Then
        assertEquals(
                201,
                owner.api()
                        .post(members, Map.of("username", member.name().toUpperCase(Locale.ROOT)))
                        .status());
        assertEquals(409, owner.api().post(members, Map.of("user", member.id())).status());
        assertEquals(
                404,
                owner.api().post(members, Map.of("username", "nobody-at-all")).status());
        assertEquals(
                400,
                owner.api()
                        .post(members, Map.of("user", member.id(), "role", "owner"))
                        .status());
        JsonNode listed = owner.api().list(members).getLast();
        assertEquals(owner.id(), listed.get("invitedBy").asText());
        assertEquals("member", listed.get("role").asText());
        var ifMatch = Map.of("If-Match", "*");
        assertEquals(
                403,
                owner.api()
                        .send("PUT", members + "/" + owner.id(), Map.of("role", "viewer"), ifMatch)
                        .status());
        assertEquals(403, owner.api().delete(members + "/" + owner.id()).status());

        // When the project is transferred
        assertEquals(
                200,
                owner.api()
                        .post("/v1/projects/" + project + "/transfer", Map.of("user", member.id()))
                        .status());

        // Then
        assertEquals(204, member.api().delete(members + "/" + owner.id()).status());
        assertEquals(404, owner.api().get("/v1/projects/" + project).status(), "it is none of theirs now");
        Awaitility.await() // the other instance consumes the change a moment later
                .until(() -> owner.elsewhere()
                                .post("/v1/projects/" + project + "/sessions/x/turns", Map.of("text", "x"))
                                .status()
                        == 404);
    }

    // ---- roles

    private record Call(Capability capability, String method, String path, Object body) {}

    private static List<Call> calls(Person owner) {
        var body = Map.of("name", "Q");
        return List.of(
                new Call(Capability.PROJECT_READ, "GET", "", null),
                new Call(Capability.PROJECT_UPDATE, "PATCH", "", body),
                new Call(Capability.MEMBER_READ, "GET", "/members", null),
                new Call(Capability.MEMBER_MANAGE, "PUT", "/members/" + owner.id(), Map.of("role", "member")),
                new Call(Capability.SESSION_READ, "GET", "/sessions", null),
                new Call(Capability.SESSION_READ, "GET", "/search?q=x", null),
                new Call(Capability.SESSION_CREATE, "POST", "/sessions", Map.of()),
                new Call(Capability.SESSION_SEND, "POST", "/sessions/matrix:%s/turns", Map.of("text", "x")),
                new Call(
                        Capability.FILE_WRITE,
                        "POST",
                        "/sessions/matrix:%s/turns",
                        Map.of(
                                "parts",
                                List.of(Map.of(
                                        "kind", "file", "name", "a.txt", "mimeType", "text/plain", "data", "YQ==")))),
                new Call(Capability.FILE_READ, "GET", "/files", null),
                new Call(Capability.FILE_WRITE, "PUT", "/files/content?path=/x", Map.of("x", 1)),
                new Call(Capability.FILE_WRITE, "POST", "/snapshots", Map.of()),
                new Call(Capability.SESSION_READ_ALL, "GET", "/tool-calls?state=unknown", null),
                new Call(Capability.AGENT_READ, "GET", "/agents", null),
                new Call(
                        Capability.AGENT_MANAGE,
                        "POST",
                        "/agents?dryRun=true",
                        Map.of("name", "poet", "model", "scripted/small")),
                new Call(Capability.OPS_READ, "GET", "ops", null),
                new Call(Capability.PROJECT_DELETE, "POST", "/restore", Map.of()));
    }

    private static Answer call(Person person, String project, Call call) {
        String path = call.path().equals("ops")
                ? "/v1/ops/overview?project=" + project
                : "/v1/projects/" + project + call.path().formatted(person.name());
        return person.api().send(call.method(), path, call.body(), Map.of("If-Match", "*"));
    }

    @Test
    @Tag("I18")
    @Tag("I19")
    void projectRolesAllowExactlyTheirCapabilities() {
        // Given
        Person owner = person();
        String project = project(owner);
        var roles = new HashMap<ProjectRole, Person>(Map.of(ProjectRole.OWNER, owner));
        for (ProjectRole role : List.of(ProjectRole.ADMIN, ProjectRole.MEMBER, ProjectRole.VIEWER)) {
            roles.put(role, addMember(project, owner, role.code()));
        }
        Person outsider = person();

        // Then
        for (Call call : calls(owner)) {
            roles.forEach((role, person) -> {
                Answer answer = call(person, project, call);
                String description = role + " " + call.method() + " " + call.path() + ": " + answer.text();
                boolean theOwnersOwn = call.path().startsWith("/members/");
                boolean allowed = role.allows(call.capability())
                        && (call.capability() != Capability.FILE_WRITE || role.allows(Capability.SESSION_SEND));
                if (theOwnersOwn) {
                    assertEquals(allowed ? "owner" : "forbidden", answer.code(), description);
                } else if (allowed) {
                    assertTrue(answer.status() < 300, description);
                } else {
                    assertEquals(403, answer.status(), description);
                }
            });
            Answer hidden = call(outsider, project, call);
            assertEquals(404, hidden.status(), call + ": " + hidden.text());
            assertEquals("unknown_project", hidden.code());
        }
        var decide = new Call(
                Capability.SESSION_READ_ALL,
                "POST",
                "/tool-calls/" + UUID.randomUUID() + "/decide",
                Map.of("outcome", "happened"));
        roles.forEach((role, person) -> assertEquals(
                role.allows(decide.capability()) ? "unknown_tool_call" : "forbidden",
                call(person, project, decide).code(),
                role.code()));
    }

    /** A new route fails this test until routes.txt names the capability that it needs, which reviewers then see. */
    @Test
    @Tag("I18")
    @Tag("I19")
    void everyRouteNeedsTheCapabilityInRoutesTxt() throws IOException {
        // When
        List<String> routes = one.beans()
                .getBean(Router.class)
                .uriRoutes()
                .filter(route -> route.getDeclaringType().getName().startsWith("dev.parley."))
                .filter(route -> !route.getHttpMethodName().equals("HEAD")) // as GET
                .map(route -> route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate().toPathString() + " " + requirement(route))
                .distinct()
                .sorted()
                .toList();
        String table;
        try (var in = AccessIT.class.getResourceAsStream("/routes.txt")) {
            table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        // Then
        assertEquals(table.strip(), String.join("\n", routes));
        List<String> paths = routes.stream()
                .map(route -> route.split(" ")[1].replaceAll(":[^}]*}", "}"))
                .toList();
        for (String path : documentedPaths()) {
            assertTrue(paths.contains(path), path + " has no line");
        }
    }

    /** Which routes take more than the usual body, or stay open: all others get the small defaults. */
    @Test
    @Tag("B30")
    @Tag("B34")
    void routesThatCostMoreAreThoseOfRouteCostsTxt() throws IOException {
        // When
        List<String> routes = one.beans()
                .getBean(Router.class)
                .uriRoutes()
                .filter(route -> !route.getHttpMethodName().equals("HEAD"))
                .map(AccessIT::costs)
                .flatMap(Optional::stream)
                .distinct()
                .sorted()
                .toList();

        // Then
        try (var in = AccessIT.class.getResourceAsStream("/route-costs.txt")) {
            assertEquals(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip(), String.join("\n", routes));
        }
    }

    private static Optional<String> costs(UriRouteInfo<?, ?> route) {
        BodySize size = BodyLimits.of(route.getHttpMethod(), route.getAnnotationMetadata());
        boolean large = size.compareTo(BodySize.USUAL) > 0;
        return large || RequestCosts.streams(route)
                ? Optional.of(route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate().toPathString() + " " + size
                        + (RequestCosts.streams(route) ? " stream" : ""))
                : Optional.empty();
    }

    /** Each route that takes a body refuses one of 17 MB, and one of 16 MB without a key, before a byte of it. */
    @Test
    @Tag("B30")
    void everyRouteRefusesALargeBodyUnread() throws IOException {
        // Given
        List<String> routes = one.beans()
                .getBean(Router.class)
                .uriRoutes()
                .filter(route -> route.getDeclaringType().getName().startsWith("dev.parley."))
                .filter(route -> Set.of("POST", "PUT", "PATCH").contains(route.getHttpMethodName()))
                .map(route -> route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate()
                                .toPathString()
                                .replaceAll("\\{/[^}]*}", "/x")
                                .replaceAll("\\{[^}]*}", "x"))
                .distinct()
                .toList();
        assertTrue(routes.size() > 150, "routes with a body");

        // Then
        for (String route : routes) {
            assertEquals(413, announce(route, 17_000_000, admin.key()), route);
            int unknown = announce(route, 16_000_000, null);
            assertTrue(Set.of(401, 413).contains(unknown) || route.startsWith("POST /hooks/"), route + ": " + unknown);
        }
        assertEquals(0, one.beans().getBean(HttpGate.class).bodyBytes());
    }

    /** The status of a request that announces a body and sends none of it. */
    private static int announce(String route, int length, String key) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), one.port())) {
            socket.setSoTimeout(10_000);
            String head = route + " HTTP/1.1\r\nHost: 127.0.0.1:" + one.port()
                    + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: " + length
                    + (key == null ? "" : "\r\nAuthorization: Bearer " + key) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            byte[] status = socket.getInputStream().readNBytes(12);
            return Integer.parseInt(new String(status, StandardCharsets.UTF_8).substring(9));
        }
    }

    @Test
    @Tag("B34")
    void streamsOfAPersonAreLimitedWhateverTheirKind() {
        // Given a person with as many streams as one may have
        Person ann = person();
        HttpGate gate = one.beans().getBean(HttpGate.class);
        long before = gate.streams();
        var client = HttpClient.newHttpClient();
        var events = HttpRequest.newBuilder(URI.create(one.url() + "/v1/sessions/web:ann/events"))
                .header("Authorization", "Bearer " + ann.api().key())
                .build();
        Supplier<WebSocket> socket = () -> client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + ann.api().key())
                .buildAsync(URI.create(one.url().replace("http", "ws") + "/v1/ws"), new WebSocket.Listener() {})
                .join();
        var streams = new ArrayList<HttpResponse<InputStream>>();
        for (int i = 0; i < 62; i++) {
            streams.add(client.sendAsync(events, BodyHandlers.ofInputStream()).join());
        }
        var sockets = List.of(socket.get(), socket.get());
        assertEquals(before + 64, gate.streams());
        assertTrue(streams.stream().allMatch(stream -> stream.statusCode() == 200));

        // When
        var refused = client.sendAsync(events, BodyHandlers.ofString()).join();

        // Then
        assertEquals(429, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("You have 64 streams open"), refused.body());
        assertThrows(CompletionException.class, socket::get);
        assertEquals(200, person().api().get("/v1/me").status());
        sockets.forEach(WebSocket::abort);

        // When the client vanishes
        client.shutdownNow();

        // Then
        Awaitility.await().until(() -> gate.streams() == before);
    }

    private static String requirement(UriRouteInfo<?, ?> route) {
        var annotations = route.getAnnotationMetadata();
        var inHost = annotations.enumValues(RequiresCapability.class, "inHost", Capability.class);
        return Stream.of(inHost)
                .filter(_ -> !route.getUriMatchTemplate().toPathString().contains("{project}"))
                .findFirst()
                .or(() -> annotations.enumValue(RequiresCapability.class, Capability.class))
                .map(Capability::code)
                .orElse(
                        annotations.hasAnnotation(Public.class)
                                ? annotations
                                                .stringValue(Public.class, "setting")
                                                .orElse("")
                                                .isEmpty()
                                        ? "anybody"
                                        : "anybody-or-signed-in"
                                : annotations.hasAnnotation(Authenticated.class) ? "signed-in" : "administrators");
    }

    @Test
    @Tag("B161")
    void aClosedRegistryAnswersWithAKeyOfAnybody() {
        // Given
        var nobody = new Api(two.url(), "no key");
        Api ann = person().elsewhere();
        List<String> routes = requests().stream()
                .filter(route -> route.contains(" /registry") && !route.startsWith("HEAD "))
                .toList();

        // Then
        assertTrue(routes.size() > 25, routes.toString());
        for (String route : routes) {
            String[] parts = route.split(" ");
            Object body = parts[0].equals("GET") || parts[0].equals("DELETE") ? null : Map.of();
            var refused = nobody.send(parts[0], parts[1], body, Map.of());
            assertEquals(401, refused.status(), route);
            assertEquals(40101, refused.json().path("error_code").asInt(), route);
            assertFalse(refused.json().path("message").asText().isEmpty(), route);
            assertEquals(2, refused.json().size(), refused.text());
            var open = admin.as("no key").send(parts[0], parts[1], body, Map.of());
            assertEquals(
                    open.text(), ann.send(parts[0], parts[1], body, Map.of()).text(), route);
        }
        assertEquals(200, ann.get("/registry/subjects").status());
    }

    private static List<String> documentedPaths() {
        return admin.get("/openapi")
                .text()
                .lines()
                .filter(line -> line.matches("  /.*:"))
                .map(line -> line.strip().substring(0, line.strip().length() - 1))
                .toList();
    }

    /** Method and path of all routes, with a value for each variable. */
    private static List<String> requests() {
        return one.beans()
                .getBean(Router.class)
                .uriRoutes()
                .map(route -> route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate().toPathString().replaceAll("\\{[^{}]*}", "x"))
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    @Tag("B50")
    void noRouteAnswersToAForeignName() {
        // Given
        var raw = new RawHttp(one.url());
        String host = "Host: " + one.url().substring("http://".length());
        String key = "Authorization: Bearer " + admin.key();
        List<String> requests = Stream.concat(
                        requests().stream(), Stream.of("GET /nowhere", "GET /console/app.js", "OPTIONS /v1/projects"))
                .toList();

        // Then
        assertTrue(requests.size() > 250, "all routes");
        for (String request : requests) {
            assertEquals(421, raw.send(request, "", "Host: evil.example", key).status(), request);
            assertEquals(
                    400, raw.send(request, "", host, "Host: evil.example", key).status(), request);
            assertEquals(400, raw.send(request, "", host, host, key).status(), request);
            assertEquals(400, raw.send(request, "", key).status(), request);
        }
        String handshake = "GET /v1/ws";
        assertEquals(
                421,
                raw.send(handshake, "", "Host: evil.example", "Upgrade: websocket", "Sec-WebSocket-Version: 13", key)
                        .status());
    }

    @Test
    @Tag("B52")
    void noRouteActsForAPageOfAnotherSite() {
        // Given a browser that is signed in as the administrator
        var raw = new RawHttp(one.url());
        String host = "Host: " + one.url().substring("http://".length());
        String cookie = "Cookie: " + consoleCookie();
        assertEquals(200, raw.send("GET /console/rights", "", host, cookie).status());

        // Then
        for (String request : requests()) {
            boolean reads = request.startsWith("GET ") || request.startsWith("HEAD ") || request.startsWith("OPTIONS ");
            for (String page : List.of("Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site")) {
                int status = raw.send(request, "", host, cookie, page, "Parley-Page: 1")
                        .status();
                assertTrue(reads || status == 403, request + " from " + page + " is answered with " + status);
            }
        }
        assertEquals(
                403,
                raw.send("GET /v1/ws", "", host, cookie, "Origin: http://evil.example", "Upgrade: websocket")
                        .status());
        assertEquals(
                401,
                raw.send("GET /v1/me", "", host, cookie, "Sec-Fetch-Site: cross-site")
                        .status());
    }

    private static String consoleCookie() {
        var raw = new RawHttp(one.url());
        String answer = raw.send(
                        "POST /console/sign-in",
                        "",
                        "Host: " + one.url().substring("http://".length()),
                        "Authorization: Bearer " + admin.key())
                .text();
        return answer.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie: parley-sign-in="))
                .map(line -> line.substring("set-cookie: ".length()).split(";")[0])
                .findFirst()
                .orElseThrow(() -> new AssertionError(answer));
    }

    @Test
    void openApiDescribesEachOperationAndParameter() {
        // When
        JsonNode paths = admin.get("/openapi.json").json().path("paths");

        // Then
        var missing = new TreeSet<String>();
        paths.properties()
                .forEach(route -> route.getValue().properties().stream()
                        .filter(operation ->
                                operation.getValue().path("summary").asText().isEmpty())
                        .forEach(operation -> missing.add(operation.getKey() + " " + route.getKey())));
        paths.properties()
                .forEach(route -> route.getValue()
                        .findValues("parameters")
                        .forEach(parameters -> parameters.forEach(parameter -> {
                            if (parameter.path("description").asText().isEmpty()) {
                                missing.add(route.getKey() + " "
                                        + parameter.path("name").asText());
                            }
                        })));
        assertFalse(paths.isEmpty());
        assertEquals(Set.of(), missing);
    }

    @Test
    void openApiDescribesTheRowsOfEachPage() {
        // When
        JsonNode document = admin.get("/openapi.json").json();

        // Then
        Map<String, String> pages = Map.of(
                "/v1/agents",
                "Agent",
                "/v1/sessions",
                "Session",
                "/v1/banks",
                "Bank",
                "/v1/projects/{project}/snapshots",
                "WorkspaceSnapshot");
        pages.forEach((path, item) -> {
            String page = document.path("paths")
                    .path(path)
                    .at("/get/responses/200/content/application~1json/schema/$ref")
                    .asText();
            assertEquals("#/components/schemas/PageOf" + item, page);
            assertEquals(
                    "#/components/schemas/" + item,
                    document.at(page.substring(1) + "/properties/data/items/$ref")
                            .asText());
        });
    }

    @Test
    @Tag("I21")
    void memberPermissionOverridesTheRole() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person viewer = addMember(project, owner, "viewer");
        Person member = addMember(project, owner, "member");
        var ifMatch = Map.of("If-Match", "*");
        String members = "/v1/projects/" + project + "/members/";
        Call create = new Call(Capability.SESSION_CREATE, "POST", "/sessions", Map.of());
        Call file = calls(owner).stream()
                .filter(call -> call.capability() == Capability.FILE_WRITE)
                .findFirst()
                .orElseThrow();
        assertEquals(403, call(viewer, project, create).status());

        // When
        Answer allowed = owner.api()
                .send("PUT", members + viewer.id(), Map.of("permissions", Map.of("session.create", "allow")), ifMatch);
        owner.api().send("PUT", members + member.id(), Map.of("permissions", Map.of("file.write", "deny")), ifMatch);

        // Then
        assertEquals(200, allowed.status(), allowed.text());
        assertEquals(201, call(viewer, project, create).status());
        assertEquals(403, call(member, project, file).status());
        assertEquals(
                202,
                call(
                                member,
                                project,
                                new Call(Capability.SESSION_SEND, "POST", "/sessions/m/turns", Map.of("text", "x")))
                        .status());
        assertEquals(
                400,
                owner.api()
                        .send("PUT", members + viewer.id(), Map.of("permissions", Map.of("odd", "allow")), ifMatch)
                        .status());
    }

    // ---- circumvention

    @Test
    void rejectsGrantsBeyondTheGrantorsOwnRights() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person lead = addMember(project, owner, "admin");
        Person helper = addMember(project, owner, "member");
        String members = "/v1/projects/" + project + "/members/";
        var ifMatch = Map.of("If-Match", "*");
        var inviting = Map.of("permissions", Map.of("member.manage", "allow"));

        // Then
        assertEquals(
                403,
                lead.api()
                        .send(
                                "PUT",
                                members + lead.id(),
                                Map.of("permissions", Map.of("project.delete", "allow")),
                                ifMatch)
                        .status());
        assertEquals(
                400,
                owner.api()
                        .send(
                                "PUT",
                                members + lead.id(),
                                Map.of("permissions", Map.of("project.delete", "allow")),
                                ifMatch)
                        .status(),
                "it is handed over instead");
        assertEquals(
                200,
                lead.api().send("PUT", members + helper.id(), inviting, ifMatch).status());
        assertEquals(
                403,
                helper.api()
                        .send("PUT", members + helper.id(), Map.of("role", "admin"), ifMatch)
                        .status());
        assertEquals(
                200,
                helper.api()
                        .send("PUT", members + helper.id(), Map.of("role", "viewer"), ifMatch)
                        .status());
    }

    private static Api limited(Api owner, String... permissions) {
        Answer made = owner.create("/v1/api-keys", Map.of("name", "limited", "permissions", List.of(permissions)));
        return owner.as(made.json().get("apiKey").asText());
    }

    @Test
    @Tag("B40")
    void keyThatManagesUsersMakesNoAdministratorAndTouchesNone() {
        // Given
        Person user = person();
        project(user);
        Person boss = person();
        var always = Map.of("If-Match", "*");
        String users = "/v1/users/";
        assertEquals(
                200,
                admin.send("PATCH", users + boss.id(), Map.of("role", "admin"), always)
                        .status());
        Api key = limited(admin, "user.manage", "user.read", "host.manage", "setting.manage");

        // When
        var founder = Map.of("username", "founder", "password", PASSWORD);
        List<Answer> answers = List.of(
                key.send("PATCH", users + user.id(), Map.of("role", "admin"), always),
                key.send("PATCH", users + user.id(), Map.of("email", "thief@example.com"), always),
                key.send("PATCH", users + boss.id(), Map.of("active", false), always),
                key.send("PATCH", users + boss.id(), Map.of("role", "user"), always),
                key.send("PATCH", users + boss.id(), Map.of("email", "thief@example.com"), always),
                key.delete(users + boss.id()),
                key.post(users + boss.id() + "/erase", Map.of()),
                key.post(users + boss.id() + "/sign-in-code", Map.of()),
                key.post(users + user.id() + "/sign-in-code", Map.of()),
                key.delete(users + user.id() + "?reassignTo=" + boss.id()),
                key.post("/v1/auth/register", Map.of("username", "accomplice", "password", PASSWORD)),
                key.post("/v1/hosts", Map.of("key", "third", "name", "x", "administrator", founder)),
                key.send("PUT", "/v1/settings/registration", "\"open\"", Map.of()),
                key.delete("/v1/settings/registration"));

        // Then
        answers.forEach(answer -> assertEquals(403, answer.status(), answer.text()));
        assertEquals(200, boss.api().get("/v1/me").status());
        Person other = person();
        assertEquals(
                200,
                key.send("PATCH", users + other.id(), Map.of("active", false), always)
                        .status());
        Api keys = limited(boss.api(), "key.manage");
        String id = key(user, Map.of("name", "own")).json().get("id").asText();
        assertEquals(404, keys.delete("/v1/api-keys/" + id).status());
        assertEquals(204, boss.api().delete("/v1/api-keys/" + id).status());
    }

    @Test
    @Tag("B41")
    void nobodyLiftsTheirOwnLimits() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person lead = addMember(project, owner, "admin");
        Person friend = person();
        String members = "/v1/projects/" + project + "/members";
        var always = Map.of("If-Match", "*");
        var denied = Map.of("permissions", Map.of("file.write", "deny"));
        assertEquals(
                200,
                owner.api()
                        .send("PUT", members + "/" + lead.id(), denied, always)
                        .status());
        Api key = limited(lead.api(), "member.manage");

        // When
        List<Answer> refused = List.of(
                lead.api().send("PUT", members + "/" + lead.id(), Map.of("permissions", Map.of()), always),
                lead.api()
                        .send(
                                "PUT",
                                members + "/" + lead.id(),
                                Map.of("permissions", Map.of("file.write", "allow")),
                                always),
                key.send("PUT", members + "/" + lead.id(), Map.of("permissions", Map.of()), always),
                key.post(members, Map.of("user", friend.id(), "role", "viewer")),
                lead.api().post(members, Map.of("user", friend.id(), "role", "member")),
                key.delete(members + "/" + lead.id()),
                lead.api()
                        .post(
                                "/v1/projects/" + project + "/bots",
                                Map.of(
                                        "name",
                                        "backdoor",
                                        "kind",
                                        "webhook",
                                        "token",
                                        "0123456789abcdef0",
                                        "url",
                                        "https://x.org/")));

        // Then
        refused.forEach(answer -> assertEquals(403, answer.status(), answer.text()));
        assertEquals(
                201,
                lead.api()
                        .post(
                                members,
                                Map.of(
                                        "user",
                                        friend.id(),
                                        "role",
                                        "member",
                                        "permissions",
                                        Map.of("file.write", "deny")))
                        .status());
        String budget = "/v1/projects/" + project + "/settings/budget";
        assertEquals(200, owner.api().send("PUT", budget, tokens(7), Map.of()).status());
        assertEquals(200, lead.api().send("PUT", budget, tokens(8), Map.of()).status());
        assertEquals(200, admin.send("PUT", budget, tokens(5), Map.of()).status());
        assertEquals(403, owner.api().send("PUT", budget, tokens(9), Map.of()).status());
        assertEquals(403, owner.api().delete(budget).status());
        assertEquals(204, lead.api().delete(members + "/" + lead.id()).status());
        assertEquals(
                404,
                lead.api()
                        .post(members, Map.of("user", lead.id(), "role", "admin"))
                        .status());
    }

    @Test
    @Tag("B42")
    void keyMakesNoKeyOrLinkWithMoreThanItself() {
        // Given
        Person ann = person();
        String project = project(ann);
        String session = "/v1/projects/" + project + "/sessions/shared";
        assertEquals(200, ann.api().turn(session, Map.of("text", "x")).status());
        Api all = limited(ann.api(), "*");
        Api sharing = limited(ann.api(), "session.share");

        // Then
        assertEquals(
                403,
                all.post("/v1/api-keys", Map.of("name", "x", "permissions", List.of("mcp.answer")))
                        .status());
        assertEquals(403, sharing.post(session + "/share", Map.of()).status());
        assertEquals(403, sharing.post("/v1/api-keys", Map.of("name", "x")).status());
        Api hooks = limited(ann.api(), "project.update");
        assertEquals(
                403,
                hooks.post("/v1/projects/" + project + "/webhooks", Map.of("url", "https://x.org/"))
                        .status());
        String etag = ann.api().get("/v1/projects/" + project).etag();
        assertEquals(
                403,
                hooks.send(
                                "PUT",
                                "/v1/projects/" + project + "/settings",
                                Map.of("sessions", "shared"),
                                Map.of("If-Match", etag))
                        .status());
    }

    // ---- ids

    /** Other forms of an id, percent-encoded, which a lenient parser takes for the same one. */
    private static List<String> aliases(String id) {
        return List.of(
                id.toUpperCase(Locale.ROOT),
                "%7B" + id + "%7D",
                "urn:uuid:" + id,
                id.replace("-", ""),
                "1-1-1-1-1",
                "0" + id,
                id + "%20",
                "%20" + id,
                id + "%00",
                id.substring(0, 35) + "%EF%BC%91", // a full-width digit
                id.replaceFirst("-", "-0001"),
                id + "%2F..",
                id.replace("-", "%E2%80%90"));
    }

    @Test
    @Tag("B44")
    void idHasOneFormInEveryRoute() {
        // Given
        var raw = new RawHttp(one.url());
        Person ann = person();
        String project = project(ann);
        String host = "Host: " + one.url().substring("http://".length());
        String key = "Authorization: Bearer " + admin.key();
        assertEquals(200, raw.send("GET /v1/users/" + ann.id(), "", host, key).status());
        assertEquals(200, raw.send("GET /v1/projects/" + project, "", host, key).status());

        // When every variable that is an id, or a project's key, has another form
        var accepted = new TreeSet<String>();
        int tried = 0;
        for (UriRouteInfo<?, ?> route :
                one.beans().getBean(Router.class).uriRoutes().toList()) {
            for (String variable : ids(route)) {
                String id = variable.equals("project") ? project : ann.id();
                for (String alias : aliases(id)) {
                    String path = route.getUriMatchTemplate()
                            .toPathString()
                            .replace("{" + variable + "}", alias)
                            .replace("{project}", project)
                            .replaceAll("\\{[^{}]*}", ann.id());
                    String line = route.getHttpMethodName() + " " + path;
                    int status = raw.send(line, "", host, key).status();
                    tried++;
                    if (status < 400 || status >= 500) {
                        accepted.add(line + " is answered with " + status);
                    }
                }
            }
        }

        // Then
        assertTrue(tried > 500, "routes with ids: " + tried);
        assertEquals(Set.of(), accepted);
    }

    /** Variables of a route that are ids, or keys of projects. */
    private static List<String> ids(UriRouteInfo<?, ?> route) {
        return java.util.Arrays.stream(route.getTargetMethod().getArguments())
                .filter(argument ->
                        argument.getType() == UUID.class || argument.getName().equals("project"))
                .map(argument -> argument.getName())
                .filter(name -> route.getUriMatchTemplate().toPathString().contains("{" + name + "}"))
                .toList();
    }

    @Test
    @Tag("B44")
    void idHasOneFormInBodiesAndQueries() {
        // Given
        Person ann = person();
        String project = project(ann);
        Person bob = person();
        String upper = bob.id().toUpperCase(Locale.ROOT);
        String members = "/v1/projects/" + project + "/members";

        // Then
        for (String alias : List.of(
                upper,
                "{" + bob.id() + "}",
                "1-1-1-1-1",
                bob.id() + " ",
                bob.id().replace("-", ""))) {
            assertEquals(400, ann.api().post(members, Map.of("user", alias)).status(), alias);
            assertEquals(
                    400,
                    ann.api()
                            .post("/v1/projects/" + project + "/transfer", Map.of("user", alias))
                            .status(),
                    alias);
        }
        assertEquals(201, ann.api().post(members, Map.of("user", bob.id())).status());
        assertEquals(
                400,
                admin.delete("/v1/users/" + ann.id() + "?reassignTo=" + upper).status());
        String cursor = java.util.Base64.getUrlEncoder()
                .encodeToString(("2026-01-01T00:00:00Z|" + upper).getBytes(StandardCharsets.UTF_8));
        assertEquals(400, ann.api().get("/v1/projects?cursor=" + cursor).status());
    }

    /** Two spellings of a key were two projects with one id, of different hosts. */
    @Test
    @Tag("B45")
    void importCannotTakeAnIdInAnotherForm() {
        // Given
        Person ann = person();
        String project = project(ann);
        String id =
                admin.create("/v1/projects/imports", Map.of()).json().get("id").asText();

        // Then
        for (String alias : List.of(
                project.toUpperCase(Locale.ROOT),
                "1-1-1-1-1",
                project.replace("-", ""),
                project.replaceFirst("-", "-0001"),
                "%7B" + project + "%7D",
                project + "%20")) {
            assertEquals(
                    400,
                    admin.post("/v1/projects/imports/" + id + "/start?as=" + alias, Map.of())
                            .status(),
                    alias);
        }
    }

    @Test
    void apiKeyCannotChangePasswordProfileOrSignIns() {
        // Given
        Person ann = person();
        String end =
                Instant.now().plusSeconds(600).truncatedTo(ChronoUnit.SECONDS).toString();
        Api key = new Api(
                one.url(),
                key(ann, Map.of("name", "leaked", "expiresAt", end))
                        .json()
                        .get("apiKey")
                        .asText());

        // Then
        for (Answer refused : List.of(
                key.send("PUT", "/v1/me/password", Map.of("current", PASSWORD, "password", "another horse"), Map.of()),
                key.patch("/v1/me", Map.of("email", "thief@example.com")),
                key.post("/v1/auth/logout?everywhere=true", Map.of()))) {
            assertEquals(403, refused.status(), refused.text());
            assertEquals("sign_in_required", refused.code());
        }
        assertEquals(
                end,
                key.post("/v1/api-keys", Map.of("name", "lasting"))
                        .json()
                        .get("expiresAt")
                        .asText(),
                "a key makes none that lasts longer");
        assertEquals(200, ann.api().get("/v1/me").status());
    }

    @Test
    @Tag("P53")
    void rejectsSessionsWithADelegateKey() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person bob = addMember(project, owner, "member");
        String sessions = "/v1/projects/" + project + "/sessions";

        // Then
        assertEquals(
                404,
                bob.api()
                        .post(sessions, Map.of("key", "api:ann:delegate:research"))
                        .status());
        assertEquals(
                404,
                bob.api()
                        .post(sessions + "/api:ann:delegate:research/turns", Map.of("text", "x"))
                        .status());
        assertEquals(201, bob.api().post(sessions, Map.of("key", "api:bob")).status());
    }

    @Test
    void unverifiedEmailAddressIsNotFoundByInvitations() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person thief = person();

        // When
        assertEquals(
                200,
                thief.api().patch("/v1/me", Map.of("email", "boss@example.com")).status());

        // Then
        assertEquals(
                404,
                owner.api()
                        .post("/v1/projects/" + project + "/members", Map.of("email", "boss@example.com"))
                        .status());
    }

    @Test
    void rejectsNulCharacters() {
        assertEquals(
                400,
                person().api()
                        .patch("/v1/me/preferences", "{\"a\":\"\\u0000\"}")
                        .status());
        assertEquals(400, admin.get("/v1/audit?user=%00").status());
    }

    /** Every text field that a signed-in user sends; {@code %s} is a project that they own. */
    static List<HostileText.Field> fields() {
        var project = Map.of("name", "P");
        return Stream.of(
                        List.of(
                                new HostileText.Field("POST", "/v1/auth/register", "username"),
                                new HostileText.Field(
                                        "POST", "/v1/auth/register", text -> registration(text, "email"), "/email"),
                                new HostileText.Field(
                                        "POST", "/v1/auth/register", text -> registration(text, "timeZone"), ""),
                                new HostileText.Field(
                                        "POST", "/v1/auth/register", text -> registration(text, "language"), ""),
                                new HostileText.Field("PATCH", "/v1/me", "email"),
                                new HostileText.Field("PATCH", "/v1/me", "avatarUrl"),
                                new HostileText.Field("PATCH", "/v1/me", "timeZone"),
                                new HostileText.Field("PATCH", "/v1/me", "language"),
                                new HostileText.Field(
                                        "PATCH", "/v1/me/preferences", text -> Map.of("a", text), "/preferences/a"),
                                new HostileText.Field("PATCH", "/v1/me/preferences", text -> Map.of(text, 1), "")),
                        Stream.of("name", "description", "type", "path", "gitRemote", "externalKey", "iconUrl", "color")
                                .map(name -> new HostileText.Field(
                                        "POST",
                                        "/v1/projects",
                                        text -> name.equals("name")
                                                ? Map.of(name, text)
                                                : withField(project, name, text),
                                        "/" + name))
                                .toList(),
                        Stream.of("name", "description", "iconUrl", "color")
                                .map(name -> new HostileText.Field("PATCH", "/v1/projects/%s", name))
                                .toList(),
                        Stream.of("name", "description", "prompt", "model", "apiKey", "mode", "color", "thinking")
                                .map(name -> new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/agents",
                                        text -> withField(agent(), name, text),
                                        "/" + name))
                                .toList(),
                        List.of(
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/agents",
                                        text -> withField(agent(), "tools", List.of(text)),
                                        "/tools/0"),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/agents",
                                        text -> withField(agent(), "options", Map.of("stop", text)),
                                        "/options/stop"),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/agents",
                                        text -> withField(agent(), "options", Map.of(text, "x")),
                                        ""),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/agents",
                                        text -> withField(agent(), "limits", Map.of("turnTimeout", text)),
                                        ""),
                                new HostileText.Field(
                                        "PUT", "/v1/projects/%s/settings", text -> Map.of("a", text), "/settings/a"),
                                new HostileText.Field("POST", "/v1/projects/%s/members", "username"),
                                new HostileText.Field("POST", "/v1/projects/%s/members", "email"),
                                new HostileText.Field("POST", "/v1/projects/%s/members", "user"),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/members",
                                        text -> Map.of("username", "person1", "role", text),
                                        ""),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/projects/%s/members",
                                        text -> Map.of("username", "person1", "permissions", Map.of(text, "allow")),
                                        ""),
                                new HostileText.Field("POST", "/v1/api-keys", "name"),
                                new HostileText.Field(
                                        "POST", "/v1/api-keys", text -> Map.of("name", "k", "project", text), ""),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/api-keys",
                                        text -> Map.of("name", "k", "permissions", List.of(text)),
                                        ""),
                                new HostileText.Field("POST", "/v1/credentials", "provider"),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/credentials",
                                        text -> Map.of("provider", "openai", "name", text, "apiKey", "sk-1234567890"),
                                        "/name"),
                                new HostileText.Field(
                                        "POST",
                                        "/v1/credentials",
                                        text -> Map.of("provider", "openai", "apiKey", text),
                                        ""),
                                new HostileText.Field(
                                        "POST", "/v1/projects/%s/sessions", text -> Map.of("title", text), ""),
                                new HostileText.Field(
                                        "POST", "/v1/projects/%s/sessions", text -> Map.of("key", text), "/key"),
                                new HostileText.Field(
                                        "POST", "/v1/projects/%s/sessions", text -> Map.of("agent", text), ""),
                                new HostileText.Field(
                                        "POST", "/v1/projects/%s/sessions", text -> Map.of("channel", text), ""),
                                new HostileText.Field(
                                        "PUT", "/v1/projects/%s/settings/budget", text -> Map.of("period", text), "")))
                .flatMap(List::stream)
                .toList();
    }

    private static Map<String, Object> registration(String text, String name) {
        return Map.of("username", "hostile" + ++people, "password", PASSWORD, name, text);
    }

    private static Map<String, Object> agent() {
        return Map.of("name", "hostile" + ++people, "model", "scripted/small");
    }

    private static Map<String, Object> withField(Map<String, ?> body, String name, Object text) {
        var extended = new HashMap<String, Object>(body);
        extended.put(name, text);
        return extended;
    }

    @Test
    @Tag("I118")
    void treatsHostileTextAsDataInEveryField() throws Exception {
        // Given
        Person ann = person();
        String project = project(ann);
        String tables =
                "SELECT string_agg(schemaname || '.' || tablename, ' ' ORDER BY schemaname, tablename) FROM pg_tables";
        String before = sql(tables);

        // Then
        for (HostileText.Field field : fields()) {
            var projectField = new HostileText.Field(
                    field.method(), field.path().replace("%s", project), field.body(), field.kept());
            HostileText.TEXTS.forEach(text -> HostileText.send(ann.api(), projectField, text));
        }
        assertEquals(before, sql(tables));
        assertEquals(ann.name(), ann.api().get("/v1/me").json().get("username").asText());
    }

    @Test
    @Tag("I118")
    void treatsHostileTextAsDataInAdministratorRequests() throws Exception {
        // Given
        var host = Map.of(
                "key", "hostile", "name", "H", "administrator", Map.of("username", "mallory", "password", PASSWORD));
        assertEquals(201, admin.post("/v1/hosts", host).status());
        String ann = person().id();
        String people = sql("SELECT count(*) FROM control.user_t");

        // Then
        for (var field : List.of(
                new HostileText.Field("PATCH", "/v1/users/" + ann, "email"),
                new HostileText.Field("PATCH", "/v1/users/" + ann, "role"),
                new HostileText.Field("POST", "/v1/hosts", text -> withField(host, "key", text), "/key"),
                new HostileText.Field("PATCH", "/v1/hosts/hostile", "name"),
                new HostileText.Field("PUT", "/v1/settings/registration", text -> text, "/value"),
                new HostileText.Field(
                        "PUT", "/v1/users/" + ann + "/settings/budget", text -> Map.of("period", text), ""),
                new HostileText.Field("PUT", "/v1/prices/openai/x", text -> Map.of("input", text), ""))) {
            HostileText.TEXTS.forEach(text -> HostileText.send(admin, field, text));
        }
        for (String path : List.of(
                "/v1/users?name=",
                "/v1/projects?path=",
                "/v1/api-keys?prefix=",
                "/v1/audit?user=",
                "/v1/audit?source=",
                "/v1/sessions?channel=",
                "/v1/sessions?cursor=",
                "/v1/projects/default/search?q=",
                "/v1/sessions/",
                "/v1/projects/",
                "/v1/settings/",
                "/v1/agents/",
                "/v1/agents?cursor=",
                "/v1/sessions/by-slug/")) {
            for (String text : HostileText.TEXTS) {
                String sent = java.net.URLEncoder.encode(
                        text.substring(0, Math.min(text.length(), 1_000)), java.nio.charset.StandardCharsets.UTF_8);
                Answer answer = admin.get(path + sent);
                assertTrue(answer.status() < 500, path + sent + ": " + answer.status() + " " + answer.text());
            }
        }
        assertEquals(people, sql("SELECT count(*) FROM control.user_t"));
    }

    // ---- settings and the audit log

    @Test
    @Tag("I35")
    void settingAppliesFromTheNextTurnAndNeedsAnAdministrator() {
        // Given
        Person ann = person();
        assertEquals(
                403,
                ann.api()
                        .send("PUT", "/v1/settings/defaultModel", "\"scripted/other\"", Map.of())
                        .status());

        // When
        Answer set = admin.send("PUT", "/v1/settings/defaultModel", "\"scripted/other\"", Map.of());

        // Then
        assertEquals(200, set.status(), set.text());
        assertEquals(
                "scripted/other", admin.say("setting:a", "hello").get("model").asText());
        assertEquals(
                "scripted/other",
                admin.get("/v1/settings/defaultModel").json().get("value").asText());
        assertEquals(
                412,
                admin.send("PUT", "/v1/settings/defaultModel", "\"scripted/x\"", Map.of("If-Match", "\"9\""))
                        .status());
        assertEquals(
                400,
                admin.send("PUT", "/v1/settings/defaultModel", "5", Map.of()).status());

        // When it is cleared
        assertEquals(204, admin.delete("/v1/settings/defaultModel").status());

        // Then
        assertEquals(
                "scripted/scripted",
                admin.say("setting:a", "hello").get("model").asText());
    }

    @Test
    @Tag("I35")
    void storesCustomSettingsAndRejectsMisspelledNames() {
        // Given
        String path = "/v1/settings/console.theme";
        String value = "{\"a\":{\"b\":[1,2.5,null,\"ü\\\\u0000\"],\"c\":true}}";
        assertEquals(403, person().api().send("PUT", path, value, Map.of()).status());

        // When
        Answer set = admin.send("PUT", path, value, Map.of());
        Answer slip = admin.send("PUT", "/v1/settings/defaultmodel", "\"scripted/x\"", Map.of());

        // Then
        assertEquals(200, set.status(), set.text());
        assertEquals(value, admin.get(path).json().get("value").toString());
        assertFalse(set.json().get("known").asBoolean());
        assertEquals(400, slip.status(), slip.text());
        assertTrue(slip.text().contains("did you mean 'defaultModel'"), slip.text());
        for (String name : List.of("budgets", "Registration", "default_model", "_x", "a%2Fb", "budget%2Fuser%2Fx")) {
            Answer refused = admin.send("PUT", "/v1/settings/" + name, "{}", Map.of());
            assertTrue(refused.status() == 400 || refused.status() == 404, name + ": " + refused.text());
        }
        assertEquals(
                413,
                admin.send("PUT", path, "\"" + "x".repeat(16 << 10) + "\"", Map.of())
                        .status());
        Answer nul = admin.send("PUT", path, "[\"a\\u0000\"]", Map.of());
        assertEquals(400, nul.status(), nul.text());

        // Then known settings are listed with their schemas
        Answer list = admin.get("/v1/settings");
        assertEquals(
                List.of("registration", "projectCreation", "budget", "defaultModel"),
                list.json().findParents("description").stream()
                        .filter(setting -> setting.has("schema") && !setting.has("value"))
                        .map(setting -> setting.get("name").asText())
                        .toList());
        assertTrue(
                Api.rows(list).stream()
                        .anyMatch(setting -> setting.get("name").asText().equals("console.theme")),
                list.text());
        assertEquals(204, admin.delete(path).status());
        assertEquals(404, admin.get(path).status());
        assertEquals(200, admin.send("PUT", path, "7", Map.of()).status(), "it may be set again");
        assertEquals(204, admin.delete(path).status());
    }

    @Test
    @Tag("B1")
    @Tag("I35")
    void userBudgetAppliesFromTheNextTurnAndIsShownInUsage() {
        // Given
        Person ann = person();
        String session = "/v1/projects/" + project(ann) + "/sessions/budget:a/turns?wait=60s";
        String budget = "/v1/users/" + ann.id() + "/settings/budget";
        assertEquals(
                0,
                ann.api()
                        .get("/v1/me/usage")
                        .json()
                        .path("total")
                        .path("tokens")
                        .asInt());
        assertEquals(403, ann.api().send("PUT", budget, tokens(9), Map.of()).status());
        assertEquals(200, admin.send("PUT", budget, tokens(1), Map.of()).status());

        // When
        JsonNode first = ann.api().post(session, Map.of("text", "hello")).json();
        JsonNode second = ann.api().post(session, Map.of("text", "hello")).json();

        // Then
        assertEquals("COMPLETED", first.path("state").asText(), first.toString());
        assertEquals("budget", second.path("error").path("type").asText(), second.toString());
        assertTrue(
                second.path("reply").asText().startsWith("Sorry, your budget for today is used up; it begins anew on "),
                second.toString());
        JsonNode usage = ann.api().get("/v1/me/usage").json();
        assertEquals(usage.path("day"), usage.path("budget").path("spent"), usage.toString());
        assertEquals(1, usage.path("budget").path("tokens").asInt());
        assertEquals(usage, admin.get("/v1/users/" + ann.id() + "/usage").json());

        // When it is raised
        assertEquals(200, admin.send("PUT", budget, tokens(1_000_000), Map.of()).status());

        // Then
        assertEquals(
                "COMPLETED",
                ann.api()
                        .post(session, Map.of("text", "hello"))
                        .json()
                        .path("state")
                        .asText());
        assertEquals(204, admin.delete(budget).status());
        assertEquals(404, admin.get(budget).status());
        assertEquals(403, ann.api().get("/v1/usage").status());
    }

    private static String tokens(int tokens) {
        return "{\"tokens\":" + tokens + ",\"period\":\"day\"}";
    }

    @Test
    void projectBudgetIsLimitedByTheHostBudget() {
        // Given
        Person ann = person();
        String project = "/v1/projects/" + project(ann);
        Person viewer = addMember(project.substring("/v1/projects/".length()), ann, "viewer");
        assertEquals(
                200,
                admin.send("PUT", "/v1/settings/budget", tokens(900_000_000), Map.of())
                        .status());

        // Then
        assertEquals(
                400,
                ann.api()
                        .send("PUT", project + "/settings/budget", tokens(900_000_001), Map.of())
                        .status());
        assertEquals(
                200,
                ann.api()
                        .send("PUT", project + "/settings/budget", tokens(900_000_000), Map.of())
                        .status());
        assertEquals(
                412,
                ann.api()
                        .send("PUT", project + "/settings/budget", tokens(5), Map.of("If-Match", "\"9\""))
                        .status());
        Answer wrong = ann.api().send("PUT", project + "/settings/budget", "{\"amount\":1}", Map.of());
        assertEquals(400, wrong.status());
        assertTrue(wrong.text().contains("needs 'period' as day, month or total"), wrong.text());
        assertEquals(403, viewer.api().get(project + "/usage").status());
        assertEquals(403, viewer.api().delete(project + "/settings/budget").status());
        assertEquals(404, person().api().get(project + "/usage").status());
        assertEquals(
                900_000_000,
                ann.api()
                        .get(project + "/usage")
                        .json()
                        .path("budget")
                        .path("tokens")
                        .asInt());
        assertEquals(204, admin.delete("/v1/settings/budget").status());
    }

    @Test
    @Tag("O11")
    void rejectsTurnsBeyondTheRatePerMinute() {
        // Given
        Person ann = person();
        String turns = "/v1/projects/" + project(ann) + "/sessions/flood:a/turns";
        String budget = "/v1/users/" + ann.id() + "/settings/budget";
        assertEquals(
                200,
                admin.send("PUT", budget, "{\"turnsPerMinute\":3}", Map.of()).status());

        // When
        List<Answer> answers = Stream.generate(() -> ann.api().post(turns, Map.of("text", "hello")))
                .limit(10)
                .toList();

        // Then
        var accepted = answers.stream().filter(answer -> answer.status() == 202).toList();
        assertTrue(accepted.size() == 3 || accepted.size() == 4, answers.toString());
        answers.stream().filter(answer -> !accepted.contains(answer)).forEach(answer -> {
            assertEquals(429, answer.status());
            assertEquals("too_many_turns", answer.code(), answer.text());
        });
        assertEquals(204, admin.delete(budget).status());
        assertEquals(202, ann.api().post(turns, Map.of("text", "hello")).status());
    }

    @Test
    void administratorsSetPricesWhichShowTheirSource() {
        // Given
        String opus = "/v1/prices/anthropic/claude-opus-5";
        assertEquals("build", admin.get(opus).json().path("source").asText());
        assertEquals(403, person().api().get(opus).status());

        // When
        Answer set = admin.send("PUT", opus, Map.of("input", 4.5, "output", 20, "cacheRead", 0.45), Map.of());

        // Then
        assertEquals(200, set.status(), set.text());
        JsonNode price = admin.get(opus).json();
        assertEquals("own", price.path("source").asText());
        assertEquals("4.5", price.path("input").asText());
        assertTrue(admin.list("/v1/prices").contains(price), "in the list, too");
        assertEquals(
                412,
                admin.send("PUT", opus, Map.of("input", 1, "output", 1), Map.of("If-Match", "\"9\""))
                        .status());
        assertEquals(
                200,
                admin.send("PUT", opus, Map.of("input", 1, "output", 1), Map.of("If-Match", set.etag()))
                        .status());
        assertEquals(
                400,
                admin.send("PUT", opus, Map.of("input", -1, "output", 1), Map.of())
                        .status());
        assertEquals(400, admin.send("PUT", opus, Map.of("input", 1), Map.of()).status());
        assertEquals(
                200,
                admin.send("PUT", "/v1/prices/router/meta/llama-4", Map.of("input", 0, "output", 0), Map.of())
                        .status());
        assertEquals(
                400,
                admin.send("PUT", "/v1/prices/scripted/scripted", Map.of("input", 1, "output", 1), Map.of())
                        .status(),
                "the scripted model is always free");
        assertEquals(404, admin.get("/v1/prices/router/meta").status());
        assertEquals(204, admin.delete("/v1/prices/router/meta/llama-4").status());
        assertEquals(204, admin.delete(opus).status());
        assertEquals("build", admin.get(opus).json().path("source").asText());
    }

    @Test
    void auditLogRecordsChangesAndCannotBeModified() throws Exception {
        // Given
        Person ann = person();
        String project = project(ann);
        Person bob = addMember(project, ann, "viewer");

        // Then
        List<JsonNode> entries = ann.api().list("/v1/audit?project=" + project);
        assertEquals(
                List.of("member add " + bob.id(), "project create " + project),
                entries.stream()
                        .map(entry -> entry.get("source").asText() + " "
                                + entry.get("action").asText() + " "
                                + entry.get("subject").asText())
                        .toList());
        assertTrue(entries.stream()
                .allMatch(entry -> entry.get("user").asText().equals(ann.id())
                        && entry.get("success").asBoolean()));
        assertEquals(
                1, ann.api().list("/v1/audit?source=member&project=" + project).size());
        assertEquals(
                0,
                ann.api()
                        .list("/v1/audit?to=2020-01-01T00:00:00Z&project=" + project)
                        .size());
        assertEquals(403, ann.api().get("/v1/audit").status());
        assertEquals(403, bob.api().get("/v1/audit?project=" + project).status());
        assertTrue(admin.list("/v1/audit?source=sign-in&user=" + ann.id()).size() > 0);
        for (String statement :
                List.of("UPDATE control.audit_log_t SET success = 'N'", "DELETE FROM control.audit_log_t")) {
            var app = servers.database().app();
            try (var connection = java.sql.DriverManager.getConnection(app.url(), app.user(), app.password())) {
                var refused = org.junit.jupiter.api.Assertions.assertThrows(
                        java.sql.SQLException.class,
                        () -> connection.createStatement().execute(statement));
                assertEquals("42501", refused.getSQLState());
            }
        }
    }

    // ---- sessions of other members

    @Test
    @Tag("P53")
    @Tag("I69")
    void memberCannotSeeOrChangeSessionsOfOtherMembers() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person ann = addMember(project, owner, "member");
        Person bob = addMember(project, owner, "member");
        String sessions = "/v1/projects/" + project + "/sessions";
        Answer response = ann.api()
                .post(sessions + "/secret/turns?wait=60s", Map.of("text", "zanzibar"), Map.of("Idempotency-Key", "1"));
        assertEquals(200, response.status(), response.text());
        String turn = response.json().get("id").asText();
        Awaitility.await()
                .until(() -> ann.api()
                                .list("/v1/projects/" + project + "/search?q=zanzibar")
                                .size()
                        > 0);

        // Then her session does not exist for him
        for (Call call : List.of(
                new Call(null, "GET", "/sessions/secret", null),
                new Call(null, "GET", "/sessions/secret/turns", null),
                new Call(null, "GET", "/sessions/secret/messages", null),
                new Call(null, "GET", "/sessions/secret/history", null),
                new Call(null, "GET", "/sessions/secret/queue", null),
                new Call(null, "GET", "/sessions/secret/todos", null),
                new Call(null, "GET", "/sessions/secret/live", null),
                new Call(null, "GET", "/sessions/secret/turns/" + turn, null),
                new Call(null, "GET", "/turns/" + turn, null),
                new Call(null, "POST", "/sessions/secret/turns", Map.of("text", "mine")),
                new Call(null, "PATCH", "/sessions/secret", Map.of("title", "mine")),
                new Call(null, "POST", "/sessions/secret/archive", Map.of()),
                new Call(null, "POST", "/sessions/secret/context", Map.of("reset", "clear")),
                new Call(null, "POST", "/sessions/secret/fork", Map.of()),
                new Call(null, "DELETE", "/sessions/secret", null),
                new Call(null, "DELETE", "/sessions/secret/run", null))) {
            Answer his = call(bob, project, call);
            assertEquals(404, his.status(), call + ": " + his.text());
            assertFalse(his.text().contains("zanzibar"));
        }
        assertEquals(
                404,
                bob.api()
                        .post(
                                sessions + "/secret/turns?wait=60s",
                                Map.of("text", "zanzibar"),
                                Map.of("Idempotency-Key", "1"))
                        .status(),
                "nor with her own key of the message");
        assertEquals(0, bob.api().list(sessions).size());
        assertEquals(
                0,
                bob.api().list("/v1/projects/" + project + "/search?q=zanzibar").size());
        assertEquals(1, ann.api().list(sessions).size());
        assertEquals(1, owner.api().list(sessions).size(), "who leads the project sees all");

        // When the project shares its sessions
        owner.api()
                .send(
                        "PUT",
                        "/v1/projects/" + project + "/settings",
                        Map.of("sessions", "shared"),
                        Map.of("If-Match", "*"));

        // Then
        assertEquals(1, bob.api().list(sessions).size());
        assertEquals(200, bob.api().get(sessions + "/secret/messages").status());
    }

    @Test
    @Tag("B72")
    void guestOfASharedSessionReadsAndWritesAndChangesNothing() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person ann = addMember(project, owner, "member");
        Person bob = addMember(project, owner, "member");
        String path = "/v1/projects/" + project + "/sessions/together";
        assertEquals(200, ann.api().turn(path, Map.of("text", "!say hi")).status());
        owner.api()
                .send(
                        "PUT",
                        "/v1/projects/" + project + "/settings",
                        Map.of("sessions", "shared"),
                        Map.of("If-Match", "*"));
        Awaitility.await().until(() -> bob.api().get(path).status() == 200);

        // Then he changes nothing of hers
        SessionRoutes.USES.forEach((route, use) -> {
            if (use == Use.MANAGE) {
                String method = route.substring(0, route.indexOf(' '));
                String end = route.substring(method.length() + 1)
                        .replace("{id}", UUID.randomUUID().toString());
                boolean hasBody = !method.equals("GET") && !method.equals("DELETE");
                var call =
                        new Call(null, method, "/sessions/together" + end, hasBody ? SessionRoutes.body(route) : null);
                Answer his = call(bob, project, call);
                assertEquals(403, his.status(), route + ": " + his.text());
            }
        });

        // Nor of her conversations and responses in OpenAI's protocol
        var said = Map.of("type", "message", "role", "user", "content", "hi");
        String made = "/v1/projects/" + project + "/conversations";
        String conversation = made + "/"
                + ann.api()
                        .post(made, Map.of("items", List.of(said)))
                        .json()
                        .get("id")
                        .asText();
        String item = conversation + "/items/"
                + ann.api().get(conversation + "/items").json().at("/data/0/id").asText();
        String response = "/v1/projects/" + project + "/responses/"
                + ann.api()
                        .post("/v1/projects/" + project + "/responses", Map.of("model", "default", "input", "!say hi"))
                        .json()
                        .get("id")
                        .asText();
        for (String readable : List.of(conversation, item, response)) {
            assertEquals(200, bob.api().get(readable).status(), readable);
            assertEquals(403, bob.api().delete(readable).status(), readable);
        }
        assertEquals(
                403, bob.api().post(conversation, Map.of("metadata", Map.of())).status());
        assertEquals(
                200,
                bob.api()
                        .post(conversation + "/items", Map.of("items", List.of(said)))
                        .status());

        // And reads and writes
        assertEquals(200, bob.api().turn(path, Map.of("text", "!say hello")).status());
        Awaitility.await().until(() -> bob.api().list(path + "/turns").size() == 2);
        assertEquals(2, ann.api().list(path + "/turns").size());
    }

    /** Wherever something gets a name, one that reads as another is refused, with the character where it is no ASCII. */
    @Test
    @Tag("B76")
    void noNameReadsAsAnother() {
        Person owner = person();
        String project = "/v1/projects/" + project(owner);
        for (String hidden : List.of("\u202E", "\u2067", "\u200B", "\u00AD", "\uDB40\uDC41")) {
            String name = "ab" + hidden + "cd";
            String inPath = URLEncoder.encode(name, StandardCharsets.UTF_8);
            for (Call call : List.of(
                    new Call(null, "POST", "/v1/projects", Map.of("name", name)),
                    new Call(null, "PATCH", project, Map.of("name", name)),
                    new Call(null, "POST", "/v1/api-keys", Map.of("name", name)),
                    new Call(null, "POST", "/v1/credentials", Map.of("provider", "p", "name", name, "apiKey", "k")),
                    new Call(null, "POST", project + "/sessions", Map.of("key", name)),
                    new Call(null, "POST", project + "/sessions", Map.of("key", "named", "title", name)),
                    new Call(null, "POST", project + "/sessions/" + inPath + "/turns", Map.of("text", "hi")),
                    new Call(null, "PUT", project + "/agents/" + inPath, Map.of("model", "scripted/scripted")),
                    new Call(null, "POST", project + "/tools", Map.of("name", name)),
                    new Call(null, "POST", project + "/skills", Map.of("name", name)))) {
                Answer answer = owner.api().send(call.method(), call.path(), call.body(), Map.of("If-Match", "*"));
                boolean isRefused = answer.status() == 400 || answer.status() == 404 || answer.status() == 405;
                assertTrue(isRefused, call + ": " + answer.status() + " " + answer.text());
            }
        }
        Answer answer = owner.api().post("/v1/projects", Map.of("name", "ab\u202Ecd"));
        assertTrue(answer.text().contains("U+202E"), answer.text());
    }

    @Test
    @Tag("P53")
    @Tag("I112")
    void blobIsReadableByReadersOfASessionThatRefersToIt() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person ann = addMember(project, owner, "member");
        Person bob = addMember(project, owner, "member");
        Person eve = person();
        var file = Map.of("kind", "file", "name", "a.txt", "mimeType", "text/plain", "data", "emFuemliYXI=");
        String sessions = "/v1/projects/" + project + "/sessions/";
        Answer response = ann.api().turn(sessions + "with-a-file", Map.of("parts", List.of(file)));
        assertEquals(200, response.status(), response.text());
        String path = "/v1/blobs/"
                + Awaitility.await()
                        .until(
                                () -> ann.api()
                                        .get(sessions + "with-a-file/messages")
                                        .json()
                                        .findValue("sha256"),
                                Objects::nonNull)
                        .asText();

        // Then
        assertEquals("zanzibar", ann.api().get(path).text());
        assertEquals("zanzibar", owner.api().get(path).text(), "who leads the project");
        for (Person other : List.of(bob, eve)) {
            Answer refused = other.api().get(path);
            assertEquals(404, refused.status());
            assertEquals("unknown_blob", refused.code());
        }
        assertEquals(401, new Api(one.url(), "no key").get(path).status());
        assertEquals(404, ann.api().get("/v1/blobs/" + "0".repeat(64)).status());
        assertEquals(404, ann.api().get("/v1/blobs/..%2F..%2Fetc%2Fpasswd").status());

        // When he sends the same file himself
        bob.api().turn(sessions + "of-bob", Map.of("parts", List.of(file)));

        // Then
        assertEquals("zanzibar", bob.api().get(path).text());
    }

    // ---- keys

    private static Answer key(Person owner, Map<String, Object> body) {
        return owner.api().create("/v1/api-keys", body);
    }

    @Test
    @Tag("I22")
    @Tag("I24")
    @Tag("I25")
    void apiKeyIsShownOnceAndIsLimitedToItsProject() {
        // Given
        Person ann = person();
        String project = project(ann);
        String other = project(ann);

        // When
        Answer created = key(ann, Map.of("name", "ci", "project", project));
        String secret = created.json().get("apiKey").asText();
        String prefix = created.json().get("prefix").asText();
        Api api = new Api(two.url(), secret);

        // Then
        assertTrue(secret.startsWith(prefix) && prefix.matches("parley_[0-9A-Za-z]{8}"), prefix);
        assertEquals(
                202,
                api.post("/v1/projects/" + project + "/sessions/k/turns", Map.of("text", "x"))
                        .status());
        assertEquals(
                404,
                api.post("/v1/projects/" + other + "/sessions/k/turns", Map.of("text", "x"))
                        .status());
        assertFalse(ann.api().get("/v1/api-keys").text().contains(secret));
        assertFalse(ann.api()
                .get("/v1/api-keys/" + created.json().get("id").asText())
                .text()
                .contains(secret));
        assertEquals(1, ann.api().list("/v1/api-keys?prefix=" + prefix).size());
        assertEquals(1, admin.list("/v1/api-keys?prefix=" + secret).size(), "a leaked key is found");
        assertEquals(0, person().api().list("/v1/api-keys?prefix=" + prefix).size());
        assertEquals(
                403,
                new Api(one.url(), secret)
                        .post("/v1/projects", Map.of("name", "x"))
                        .status());
    }

    @Test
    @Tag("I27")
    void eachUseOfAKeyIsCounted() throws Exception {
        // Given
        Person ann = person();
        Answer created = key(ann, Map.of("name", "busy"));
        String path = "/v1/api-keys/" + created.json().get("id").asText();
        var urls = List.of(one.url(), two.url());

        // When
        try (var threads = java.util.concurrent.Executors.newFixedThreadPool(10)) {
            for (int i = 0; i < 100; i++) {
                var api = new Api(urls.get(i % 2), created.json().get("apiKey").asText());
                var _ = threads.submit(() -> api.post("/v1/tickets", Map.of()));
            }
        }

        // Then
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> ann.api().get(path).json().get("usageCount").asLong() >= 100);
        assertEquals(100, ann.api().get(path).json().get("usageCount").asLong());
        assertFalse(ann.api().get(path).json().get("lastUsedAt").isNull());
    }

    @Test
    @Tag("I26")
    void apiKeyAllowsOnlyItsListedPermissions() {
        // Given
        Person ann = person();
        String project = project(ann);
        String sessions = "/v1/projects/" + project + "/sessions";
        Api readOnly = new Api(
                one.url(),
                key(ann, Map.of("name", "r", "permissions", List.of("session.read")))
                        .json()
                        .get("apiKey")
                        .asText());
        Api withoutPermissions = new Api(
                one.url(),
                key(ann, Map.of("name", "n", "permissions", List.of()))
                        .json()
                        .get("apiKey")
                        .asText());

        // Then
        assertEquals(200, readOnly.get(sessions).status());
        assertEquals(403, readOnly.post(sessions, Map.of()).status());
        assertEquals(
                403, readOnly.post(sessions + "/x/turns", Map.of("text", "x")).status());
        assertEquals(403, readOnly.post("/v1/api-keys", Map.of("name", "more")).status());
        assertEquals(200, withoutPermissions.get("/v1/me").status());
        assertEquals(403, withoutPermissions.get(sessions).status());
        assertEquals(
                403,
                withoutPermissions.patch("/v1/me", Map.of("language", "de")).status());
        assertEquals(
                400,
                ann.api()
                        .post("/v1/api-keys", Map.of("name", "x", "permissions", List.of("odd")))
                        .status());
    }

    @Test
    @Tag("I28")
    @Tag("I29")
    void apiKeyExpiresAndRevocationTakesEffectWithinASecond() {
        // Given
        Person ann = person();
        Answer lasting = key(ann, Map.of("name", "a"));
        Answer shortLived = key(
                ann,
                Map.of("name", "b", "expiresAt", Instant.now().plusSeconds(2).toString()));
        Api elsewhere = new Api(two.url(), lasting.json().get("apiKey").asText());
        Api shortLivedApi = new Api(two.url(), shortLived.json().get("apiKey").asText());
        assertEquals(201, elsewhere.post("/v1/tickets", Map.of()).status());
        assertEquals(201, shortLivedApi.post("/v1/tickets", Map.of()).status());

        // When
        long revoked = System.nanoTime();
        assertEquals(
                204,
                ann.api()
                        .delete("/v1/api-keys/" + lasting.json().get("id").asText())
                        .status());

        // Then
        Awaitility.await()
                .atMost(Duration.ofSeconds(1))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> elsewhere.post("/v1/tickets", Map.of()).status() == 401);
        assertTrue(System.nanoTime() - revoked < Duration.ofSeconds(1).toNanos());
        Awaitility.await()
                .until(() -> shortLivedApi.post("/v1/tickets", Map.of()).status() == 401);
        assertNotEquals(
                "null",
                ann.api()
                        .get("/v1/api-keys/" + lasting.json().get("id").asText())
                        .json()
                        .get("revokedAt")
                        .asText());
        assertEquals(2, ann.api().list("/v1/api-keys").size(), "both are kept");
        assertEquals(
                400,
                ann.api()
                        .post("/v1/api-keys", Map.of("name", "x", "expiresAt", "2020-01-01T00:00:00Z"))
                        .status());
    }
}
