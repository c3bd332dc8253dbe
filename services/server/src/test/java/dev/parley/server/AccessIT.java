package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.config.ConfigReader;
import dev.parley.server.Api.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may do what, at two instances: one keeps people and projects, the other one hears of them from a topic. */
class AccessIT {
    private static final String PASSWORD = "correct horse";

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance one;
    private static Instance two;
    private static Api admin;
    private static int people;

    @BeforeAll
    static void start() {
        servers = new Servers(folder);
        one = Instance.start(ConfigReader.read(servers.environment("one", 2)));
        var environment = servers.environment("two", 2);
        environment.put("PARLEY_ROLES", "channels");
        two = Instance.start(ConfigReader.read(environment));
        admin = new Api(one.url(), Servers.KEY);
        person(); // the first one is administrator
    }

    @AfterAll
    static void stop() {
        two.close();
        one.close();
        servers.close();
    }

    /** Somebody new who is signed in. */
    private record Person(String id, String name, Api api) {
        /** The same at the other instance. */
        Api elsewhere() {
            return new Api(two.url(), api.key());
        }
    }

    private static Person person() {
        String name = "person" + ++people;
        Answer made = admin.post("/v1/auth/register", Map.of("username", name, "password", PASSWORD));
        assertEquals(201, made.status(), made.text());
        Answer login = admin.post("/v1/auth/login", Map.of("username", name, "password", PASSWORD));
        return new Person(
                made.json().get("id").asText(),
                name,
                new Api(one.url(), login.json().get("token").asText()));
    }

    private static String project(Person owner) {
        Answer made = owner.api().post("/v1/projects", Map.of("name", "P"));
        assertEquals(201, made.status(), made.text());
        return made.json().get("key").asText();
    }

    private static Person in(String project, Person owner, String role) {
        Person member = person();
        Answer added =
                owner.api().post("/v1/projects/" + project + "/members", Map.of("user", member.id(), "role", role));
        assertEquals(201, added.status(), added.text());
        return member;
    }

    // ---- people

    @Test
    @Tag("I6")
    @Tag("I7")
    @Tag("W4")
    void somebodyChangesWhatIsTheirOwn() throws Exception {
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
                        servers.postgres().database().owner().url(),
                        servers.postgres().database().owner().user(),
                        servers.postgres().database().owner().password());
                var statement = connection.createStatement()) {
            statement.execute("SET app.host = '*'");
            try (var row = statement.executeQuery(query)) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    @Test
    @Tag("I13")
    void whoOwnsProjectsIsRemovedWithAnHeir() throws Exception {
        // Given
        Person owner = person();
        Person heir = person();
        String project = project(owner);

        // When
        Answer without = admin.delete("/v1/users/" + owner.id());
        Answer with = admin.delete("/v1/users/" + owner.id() + "?reassignTo=" + heir.id());

        // Then
        assertEquals(409, without.status(), without.text());
        assertEquals("owns_projects", without.code());
        assertEquals(204, with.status(), with.text());
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

        // When they are brought back
        Answer seen = admin.get("/v1/users/" + owner.id());
        Answer back =
                admin.send("PATCH", "/v1/users/" + owner.id(), Map.of("active", true), Map.of("If-Match", seen.etag()));

        // Then
        assertEquals(200, back.status(), back.text());
        assertEquals(
                200,
                admin.post("/v1/auth/login", Map.of("username", owner.name(), "password", PASSWORD))
                        .status());
    }

    // ---- projects

    @Test
    @Tag("I10")
    @Tag("I119")
    void aProjectIsChangedByWhoeverSawItsLastVersion() {
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
    }

    @Test
    @Tag("I12")
    void aProjectHasWhatItsTypeNeedsAndOneExternalKey() {
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
        Answer again = owner.api()
                .post("/v1/projects", Map.of("name", "H", "type", "git", "path", "/two", "externalKey", "0123abcd"));
        assertEquals(201, first.status(), first.text());
        assertEquals(200, again.status(), again.text());
        assertEquals(first.json().get("id"), again.json().get("id"));
        assertEquals(409, other.api().post("/v1/projects", git).status(), "it is not shown to somebody else");
        assertEquals(1, owner.api().list("/v1/projects?path=/one").size());
    }

    @Test
    void anArchivedProjectRestsUntilItIsRestored() {
        // Given
        Person owner = person();
        String project = project(owner);
        String path = "/v1/projects/" + project;
        assertEquals(
                200,
                owner.api()
                        .post(path + "/sessions/a/turns?wait=30s", Map.of("text", "hello"))
                        .status());

        // When
        assertEquals(204, owner.api().delete(path).status());

        // Then
        assertFalse(ids(owner.api().list("/v1/projects")).contains(project));
        assertTrue(ids(owner.api().list("/v1/projects?includeArchived=true")).contains(project));
        Answer said = owner.api().post(path + "/sessions/a/turns", Map.of("text", "hello"));
        assertEquals(409, said.status());
        assertEquals("project_archived", said.code());
        assertEquals(200, owner.api().get(path + "/sessions/a").status(), "what is in it stays");

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
    void membersComeAndGoAndTheOwnerStays() {
        // Given
        Person owner = person();
        String project = project(owner);
        String members = "/v1/projects/" + project + "/members";
        Person member = person();

        // Then
        assertEquals(
                201,
                owner.api()
                        .post(members, Map.of("username", member.name().toUpperCase()))
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
        JsonNode shown = owner.api().list(members).getLast();
        assertEquals(owner.id(), shown.get("invitedBy").asText());
        assertEquals("member", shown.get("role").asText());
        var any = Map.of("If-Match", "*");
        assertEquals(
                403,
                owner.api()
                        .send("PUT", members + "/" + owner.id(), Map.of("role", "viewer"), any)
                        .status());
        assertEquals(403, owner.api().delete(members + "/" + owner.id()).status());

        // When it is handed over
        assertEquals(
                200,
                owner.api()
                        .post("/v1/projects/" + project + "/transfer", Map.of("user", member.id()))
                        .status());

        // Then
        assertEquals(204, member.api().delete(members + "/" + owner.id()).status());
        assertEquals(404, owner.api().get("/v1/projects/" + project).status(), "it is none of theirs now");
        assertEquals(
                404,
                owner.elsewhere()
                        .post("/v1/projects/" + project + "/sessions/x/turns", Map.of("text", "x"))
                        .status());
    }

    // ---- roles

    private record Call(Capability capability, String method, String path, Object body) {}

    private static List<Call> calls(Person owner) {
        var any = Map.of("name", "Q");
        return List.of(
                new Call(Capability.PROJECT_READ, "GET", "", null),
                new Call(Capability.PROJECT_UPDATE, "PATCH", "", any),
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
                new Call(Capability.OPS_READ, "GET", "ops", null),
                new Call(Capability.PROJECT_DELETE, "POST", "/restore", Map.of()));
    }

    private static Answer call(Person who, String project, Call call) {
        String path = call.path().equals("ops")
                ? "/v1/ops/overview?project=" + project
                : "/v1/projects/" + project + call.path().formatted(who.name());
        return who.api().send(call.method(), path, call.body(), Map.of("If-Match", "*"));
    }

    @Test
    @Tag("I18")
    @Tag("I19")
    void eachRoleMayDoWhatItMayAndNoMore() {
        // Given
        Person owner = person();
        String project = project(owner);
        var roles = new HashMap<ProjectRole, Person>(Map.of(ProjectRole.OWNER, owner));
        for (ProjectRole role : List.of(ProjectRole.ADMIN, ProjectRole.MEMBER, ProjectRole.VIEWER)) {
            roles.put(role, in(project, owner, role.code()));
        }
        Person outsider = person();

        // Then
        for (Call call : calls(owner)) {
            roles.forEach((role, who) -> {
                Answer answer = call(who, project, call);
                String what = role + " " + call.method() + " " + call.path() + ": " + answer.text();
                boolean theOwnersOwn = call.path().startsWith("/members/");
                boolean needed = role.allows(call.capability())
                        && (call.capability() != Capability.FILE_WRITE || role.allows(Capability.SESSION_SEND));
                if (theOwnersOwn) {
                    assertEquals(needed ? "owner" : "forbidden", answer.code(), what);
                } else if (needed) {
                    assertTrue(answer.status() < 300, what);
                } else {
                    assertEquals(403, answer.status(), what);
                }
            });
            Answer hidden = call(outsider, project, call);
            assertEquals(404, hidden.status(), call + ": " + hidden.text());
            assertEquals("unknown_project", hidden.code());
        }
    }

    @Test
    @Tag("I21")
    void aRuleOfTheMemberGoesBeforeTheRole() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person viewer = in(project, owner, "viewer");
        Person member = in(project, owner, "member");
        var any = Map.of("If-Match", "*");
        String members = "/v1/projects/" + project + "/members/";
        Call create = new Call(Capability.SESSION_CREATE, "POST", "/sessions", Map.of());
        Call file = calls(owner).stream()
                .filter(call -> call.capability() == Capability.FILE_WRITE)
                .findFirst()
                .orElseThrow();
        assertEquals(403, call(viewer, project, create).status());

        // When
        Answer allowed = owner.api()
                .send("PUT", members + viewer.id(), Map.of("permissions", Map.of("session.create", "allow")), any);
        owner.api().send("PUT", members + member.id(), Map.of("permissions", Map.of("file.write", "deny")), any);

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
                        .send("PUT", members + viewer.id(), Map.of("permissions", Map.of("odd", "allow")), any)
                        .status());
    }

    // ---- ways around

    @Test
    void nobodyGivesWhatTheyDoNotHave() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person lead = in(project, owner, "admin");
        Person helper = in(project, owner, "member");
        String members = "/v1/projects/" + project + "/members/";
        var any = Map.of("If-Match", "*");
        var inviting = Map.of("permissions", Map.of("member.manage", "allow"));

        // Then
        assertEquals(
                403,
                lead.api()
                        .send("PUT", members + lead.id(), Map.of("permissions", Map.of("project.delete", "allow")), any)
                        .status());
        assertEquals(
                400,
                owner.api()
                        .send("PUT", members + lead.id(), Map.of("permissions", Map.of("project.delete", "allow")), any)
                        .status(),
                "it is handed over instead");
        assertEquals(
                200,
                lead.api().send("PUT", members + helper.id(), inviting, any).status());
        assertEquals(
                403,
                helper.api()
                        .send("PUT", members + helper.id(), Map.of("role", "admin"), any)
                        .status());
        assertEquals(
                200,
                helper.api()
                        .send("PUT", members + helper.id(), Map.of("role", "viewer"), any)
                        .status());
    }

    @Test
    void aKeyDoesNotBecomeASignIn() {
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
    void nobodyOpensASessionThatSomebodyElseWillSpeakIn() {
        Person owner = person();
        String project = project(owner);
        Person bob = in(project, owner, "member");
        String sessions = "/v1/projects/" + project + "/sessions";
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
    void anAddressThatNobodyProvedInvitesNobody() {
        Person owner = person();
        String project = project(owner);
        Person thief = person();
        assertEquals(
                200,
                thief.api().patch("/v1/me", Map.of("email", "boss@example.com")).status());
        assertEquals(
                404,
                owner.api()
                        .post("/v1/projects/" + project + "/members", Map.of("email", "boss@example.com"))
                        .status());
    }

    @Test
    void whatTheDatabaseCannotHoldIsSaid() {
        assertEquals(
                400,
                person().api()
                        .patch("/v1/me/preferences", "{\"a\":\"\\u0000\"}")
                        .status());
        assertEquals(400, admin.get("/v1/audit?user=%00").status());
    }

    // ---- settings and the audit log

    @Test
    @Tag("I35")
    void aSettingHoldsFromTheNextTurnOnAndIsForAdministrators() {
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
        assertEquals(404, admin.send("PUT", "/v1/settings/odd", "5", Map.of()).status());

        // When it is cleared
        assertEquals(204, admin.delete("/v1/settings/defaultModel").status());

        // Then
        assertEquals(
                "scripted/scripted",
                admin.say("setting:a", "hello").get("model").asText());
    }

    @Test
    void whatWasDoneIsWrittenDownAndStays() throws Exception {
        // Given
        Person ann = person();
        String project = project(ann);
        Person bob = in(project, ann, "viewer");

        // Then
        List<JsonNode> entries = ann.api().list("/v1/audit?project=" + project);
        assertEquals(
                List.of("member add " + bob.id(), "project create " + project),
                entries.stream()
                        .map(one -> one.get("source").asText() + " "
                                + one.get("action").asText() + " "
                                + one.get("subject").asText())
                        .toList());
        assertTrue(entries.stream()
                .allMatch(one -> one.get("user").asText().equals(ann.id())
                        && one.get("success").asBoolean()));
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
            var app = servers.postgres().database().app();
            try (var connection = java.sql.DriverManager.getConnection(app.url(), app.user(), app.password())) {
                var refused = org.junit.jupiter.api.Assertions.assertThrows(
                        java.sql.SQLException.class,
                        () -> connection.createStatement().execute(statement));
                assertEquals("42501", refused.getSQLState());
            }
        }
    }

    // ---- whose sessions

    @Test
    @Tag("P53")
    @Tag("I69")
    void membersHaveTheirOwnSessionsAndNoOthers() {
        // Given
        Person owner = person();
        String project = project(owner);
        Person ann = in(project, owner, "member");
        Person bob = in(project, owner, "member");
        String sessions = "/v1/projects/" + project + "/sessions";
        Answer said = ann.api()
                .post(sessions + "/secret/turns?wait=30s", Map.of("text", "zanzibar"), Map.of("Idempotency-Key", "1"));
        assertEquals(200, said.status(), said.text());
        String turn = said.json().get("id").asText();
        Awaitility.await()
                .until(() -> ann.api()
                                .list("/v1/projects/" + project + "/search?q=zanzibar")
                                .size()
                        > 0);

        // Then what is hers is not there for him
        for (Call call : List.of(
                new Call(null, "GET", "/sessions/secret", null),
                new Call(null, "GET", "/sessions/secret/turns", null),
                new Call(null, "GET", "/sessions/secret/messages", null),
                new Call(null, "GET", "/sessions/secret/history", null),
                new Call(null, "GET", "/sessions/secret/queue", null),
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
                                sessions + "/secret/turns?wait=30s",
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

    // ---- keys

    private static Answer key(Person of, Map<String, Object> body) {
        Answer made = of.api().post("/v1/api-keys", body);
        assertEquals(201, made.status(), made.text());
        return made;
    }

    @Test
    @Tag("I22")
    @Tag("I24")
    @Tag("I25")
    void aKeyIsShownOnceAndOpensItsProjectAlone() {
        // Given
        Person ann = person();
        String project = project(ann);
        String other = project(ann);

        // When
        Answer made = key(ann, Map.of("name", "ci", "project", project));
        String secret = made.json().get("apiKey").asText();
        String prefix = made.json().get("prefix").asText();
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
                .get("/v1/api-keys/" + made.json().get("id").asText())
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
        Answer made = key(ann, Map.of("name", "busy"));
        String path = "/v1/api-keys/" + made.json().get("id").asText();
        var urls = List.of(one.url(), two.url());

        // When
        try (var threads = java.util.concurrent.Executors.newFixedThreadPool(10)) {
            for (int i = 0; i < 100; i++) {
                var api = new Api(urls.get(i % 2), made.json().get("apiKey").asText());
                threads.submit(() -> api.post("/v1/tickets", Map.of()));
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
    void aKeyOpensWhatItListsAndNoMore() {
        // Given
        Person ann = person();
        String project = project(ann);
        String sessions = "/v1/projects/" + project + "/sessions";
        Api reads = new Api(
                one.url(),
                key(ann, Map.of("name", "r", "permissions", List.of("session.read")))
                        .json()
                        .get("apiKey")
                        .asText());
        Api nothing = new Api(
                one.url(),
                key(ann, Map.of("name", "n", "permissions", List.of()))
                        .json()
                        .get("apiKey")
                        .asText());

        // Then
        assertEquals(200, reads.get(sessions).status());
        assertEquals(403, reads.post(sessions, Map.of()).status());
        assertEquals(403, reads.post(sessions + "/x/turns", Map.of("text", "x")).status());
        assertEquals(403, reads.post("/v1/api-keys", Map.of("name", "more")).status());
        assertEquals(200, nothing.get("/v1/me").status());
        assertEquals(403, nothing.get(sessions).status());
        assertEquals(403, nothing.patch("/v1/me", Map.of("language", "de")).status());
        assertEquals(
                400,
                ann.api()
                        .post("/v1/api-keys", Map.of("name", "x", "permissions", List.of("odd")))
                        .status());
    }

    @Test
    @Tag("I28")
    @Tag("I29")
    void aKeyEndsAtItsTimeAndAtOnceWhenItIsRevoked() {
        // Given
        Person ann = person();
        Answer lasting = key(ann, Map.of("name", "a"));
        Answer brief = key(
                ann,
                Map.of("name", "b", "expiresAt", Instant.now().plusSeconds(2).toString()));
        Api elsewhere = new Api(two.url(), lasting.json().get("apiKey").asText());
        Api ending = new Api(two.url(), brief.json().get("apiKey").asText());
        assertEquals(201, elsewhere.post("/v1/tickets", Map.of()).status());
        assertEquals(201, ending.post("/v1/tickets", Map.of()).status());

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
        Awaitility.await().until(() -> ending.post("/v1/tickets", Map.of()).status() == 401);
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

    @Test
    @Tag("I23")
    void noKeyIsKept() throws Exception {
        var log = new ListAppender<ILoggingEvent>();
        var root = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        Person ann = person();
        String secret = key(ann, Map.of("name", "x")).json().get("apiKey").asText();
        String hidden = secret.substring(secret.lastIndexOf('_') + 1);
        String tables = sql("""
                SELECT string_agg(format('SELECT %L::text AS name FROM %s t WHERE strpos(t::text, ''$'') > 0', c.oid::regclass,
                  c.oid::regclass), ' UNION ALL ') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'r' AND n.nspname IN ('control', 'sessions', 'channels', 'tools')
                """);
        assertNull(sql(tables.replace("$", hidden)), "a table has it");
        assertFalse(records().anyMatch(value -> value.contains(hidden)), "a topic has it");
        assertFalse(
                log.list.stream().anyMatch(event -> event.getFormattedMessage().contains(hidden)), "the log has it");
    }

    /** All that stands on all topics, as text. */
    private static Stream<String> records() {
        var clients = dev.parley.platform.kafka.KafkaClients.of(servers.kafka().bootstrap());
        var found = new ArrayList<String>();
        try (var consumer = clients.consumer("sentinels", null, Map.of())) {
            var partitions = consumer.listTopics().values().stream()
                    .flatMap(List::stream)
                    .filter(info -> !info.topic().startsWith("__"))
                    .map(info -> new org.apache.kafka.common.TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    if (record.value() != null) {
                        found.add(new String(record.value(), java.nio.charset.StandardCharsets.ISO_8859_1));
                    }
                });
            }
        }
        return found.stream();
    }
}
