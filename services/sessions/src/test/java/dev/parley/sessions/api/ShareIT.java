package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.testkit.Told;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.api.share.SharedPage;
import dev.parley.sessions.projection.Projected;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Share links over HTTP. Each test has its own project, whose sessions belong to Ada. */
final class ShareIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ADMIN = "a-key-for-this-test";
    private static final Told KNOWN = new Told();

    @TempDir
    static Path folder;

    private static TestViews views;
    private static EmbeddedServer server;
    private static HttpClient http;
    private static BlobStore blobs;

    @BeforeAll
    static void start() {
        views = new TestViews();
        blobs = new BlobStore(folder, 1 << 20);
        var properties = new HashMap<String, Object>();
        properties.put("parley.role.sessions", "true");
        properties.put("parley.admin-key", ADMIN);
        properties.put("parley.url", "https://chat.example.org/");
        properties.put("micronaut.server.port", -1);
        properties.put("datasources.default.url", views.database().app().url());
        properties.put("datasources.default.username", views.database().app().user());
        properties.put("datasources.default.password", views.database().app().password());
        server = ApplicationContext.builder()
                .properties(properties)
                .singletons(views.clients(), KNOWN, blobs)
                .start()
                .getBean(EmbeddedServer.class);
        server.start();
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        http.close();
        server.getApplicationContext().close();
        views.close();
    }

    // ---- users, projects, requests

    private static void project(String key, boolean archived, boolean shared) {
        KNOWN.say(new Project(
                AccessDirectory.DEFAULT_HOST,
                RecordKey.projectId(key),
                1,
                key,
                key,
                archived,
                shared,
                null,
                null,
                null,
                List.of(),
                false,
                null));
    }

    /** The secret of a user with this role. Chat names users like their account ids. */
    private static String somebody(String project, UUID user, ProjectRole role) {
        BearerToken token = BearerToken.make(KeyKind.SIGN_IN);
        KNOWN.say(new Account(AccessDirectory.DEFAULT_HOST, user, 1, "somebody", false, true, null, null, null));
        KNOWN.say(new Member(AccessDirectory.DEFAULT_HOST, RecordKey.projectId(project), user, 1, role, List.of()));
        KNOWN.say(new AccessKey(
                KeyKind.SIGN_IN,
                AccessDirectory.DEFAULT_HOST,
                user,
                user,
                1,
                token.prefix(),
                Sha256.hex(token.text()),
                null,
                List.of(AccessKey.ALL),
                null));
        return token.text();
    }

    /** A session of this owner, in a project that knows the owner as a member. */
    private static Chat session(String project, UUID owner) {
        return new Chat(new RecordKey(project, "web:1"), owner.toString());
    }

    private static HttpResponse<String> send(String method, String path, @Nullable String key, @Nullable String body) {
        var request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(int status, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String links(String project) {
        return "/v1/projects/" + project + "/sessions/web:1/share";
    }

    /** The secret of a new link. */
    private static String link(String project, String key, String options) {
        String url = json(201, send("POST", links(project), key, options))
                .path("url")
                .asText();
        assertTrue(url.startsWith("https://chat.example.org/s/parleyl_"), url);
        return url.substring(url.lastIndexOf('/') + 1);
    }

    private static int readStatus(String secret) {
        int api = send("GET", "/v1/shared/" + secret, null, null).statusCode();
        assertEquals(api, send("GET", "/s/" + secret, null, null).statusCode(), "the page");
        return api;
    }

    // ---- links

    @Test
    @Tag("I51")
    void linkOpensItsSessionUntilRevoked() {
        // Given
        UUID ada = Ids.of("user", "ada-1");
        project("share-1", false, false);
        String key = somebody("share-1", ada, ProjectRole.MEMBER);
        Projected.into(
                views.app(),
                session("share-1", ada)
                        .open("Plans")
                        .turn("Hello there", "Good day")
                        .events());
        Projected.into(
                views.app(),
                new Chat(new RecordKey("share-1", "web:2"), ada.toString())
                        .turn("Another secret matter", "Indeed")
                        .events());

        // When
        String secret = link("share-1", key, "{}");

        // Then
        JsonNode shared = json(200, send("GET", "/v1/shared/" + secret, null, null));
        assertEquals("Plans", shared.path("title").asText());
        assertEquals(2, shared.path("data").size(), shared.toString());
        assertEquals("Hello there", shared.at("/data/0/parts/0/text").asText());
        assertFalse(shared.toString().contains("Another"), shared.toString());
        assertFalse(shared.toString().contains(ada.toString()), "who said it");
        var page = send("GET", "/s/" + secret, null, null);
        assertTrue(page.body().contains("<p>Good day</p>"), page.body());
        assertEquals("no-store", page.headers().firstValue("Cache-Control").orElse(""));
        assertEquals("no-referrer", page.headers().firstValue("Referrer-Policy").orElse(""));
        assertTrue(page.headers().firstValue("X-Robots-Tag").orElse("").contains("noindex"));
        assertEquals(
                SharedPage.POLICY,
                page.headers().firstValue("Content-Security-Policy").orElse(""));

        // And it permits no writes and no other reads
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            assertEquals(405, send(method, "/v1/shared/" + secret, null, "{}").statusCode(), method);
            assertEquals(
                    405,
                    send(method, "/v1/shared/" + secret + "/turns", null, "{}").statusCode(),
                    method);
        }
        assertEquals(
                401, send("GET", "/v1/projects/share-1/sessions", secret, null).statusCode());
        assertEquals(401, send("POST", links("share-1"), secret, "{}").statusCode());

        // And guessed secrets are unknown
        String wrong = secret.substring(0, secret.length() - 1) + (secret.endsWith("a") ? "b" : "a");
        for (String other : List.of(wrong, BearerToken.ofLink().text(), "x", secret + "x", key)) {
            assertEquals(404, readStatus(other), "a wrong secret");
        }

        // When it is revoked
        JsonNode listed = json(200, send("GET", links("share-1"), key, null));
        assertEquals(1, listed.path("data").size());
        assertFalse(listed.toString().contains(secret.substring(0, 16)), listed.toString());
        String id = listed.at("/data/0/id").asText();
        assertEquals(204, send("DELETE", links("share-1") + "/" + id, key, null).statusCode());

        // Then
        assertEquals(404, readStatus(secret));
        assertEquals(404, send("DELETE", links("share-1") + "/" + id, key, null).statusCode());
        assertEquals(
                0,
                json(200, send("GET", links("share-1"), key, null)).path("data").size());
    }

    @Test
    @Tag("I51")
    void linkExpires() {
        UUID ada = Ids.of("user", "ada-2");
        project("share-2", false, false);
        String key = somebody("share-2", ada, ProjectRole.MEMBER);
        Projected.into(views.app(), session("share-2", ada).turn("Hello", "Hi").events());

        for (String end : List.of("2020-01-01T00:00:00Z", "2200-01-01T00:00:00Z")) {
            var refused = send("POST", links("share-2"), key, "{\"expiresAt\":\"" + end + "\"}");
            assertEquals(400, refused.statusCode(), refused.body());
        }
        String secret = link("share-2", key, "{}");
        assertEquals(200, readStatus(secret));
        views.query(
                "UPDATE sessions.session_share_t SET expires_ts = now() WHERE token_prefix = ?",
                secret.substring(0, 16));

        assertEquals(404, readStatus(secret));
    }

    @Test
    @Tag("I51")
    void linkFollowsTheRightsOfItsCreator() {
        // Given
        UUID ada = Ids.of("user", "ada-3");
        project("share-3", false, true);
        String key = somebody("share-3", ada, ProjectRole.MEMBER);
        Chat chat = session("share-3", ada).turn("Hello", "Hi");
        Projected.into(views.app(), chat.events());

        // Then other users cannot create or list links
        String bob = somebody("share-3", Ids.of("user", "bob-3"), ProjectRole.MEMBER);
        String vic = somebody("share-3", Ids.of("user", "vic-3"), ProjectRole.VIEWER);
        String lee = somebody("share-3", Ids.of("user", "lee-3"), ProjectRole.ADMIN);
        project("elsewhere-3", false, false);
        String eve = somebody("elsewhere-3", Ids.of("user", "eve-3"), ProjectRole.OWNER);
        assertEquals(403, send("POST", links("share-3"), bob, "{}").statusCode(), "may read it and no more");
        assertEquals(403, send("GET", links("share-3"), bob, null).statusCode());
        assertEquals(403, send("POST", links("share-3"), vic, "{}").statusCode(), "a viewer");
        assertEquals(404, send("POST", links("share-3"), eve, "{}").statusCode(), "nobody here");
        assertEquals(401, send("POST", links("share-3"), null, "{}").statusCode());
        project("share-3", false, false);
        assertEquals(404, send("POST", links("share-3"), bob, "{}").statusCode(), "may not even read it");
        assertEquals(200, readStatus(link("share-3", lee, "{}")), "whoever leads the project");

        // And the link follows changes of the project, the role and the session
        String secret = link("share-3", key, "{}");
        project("share-3", true, false);
        assertEquals(404, readStatus(secret), "the project is archived");
        project("share-3", false, false);
        assertEquals(200, readStatus(secret), "it is restored");
        somebody("share-3", ada, ProjectRole.VIEWER);
        assertEquals(404, readStatus(secret), "who made it may not share any more");
        KNOWN.forget(Member.key(RecordKey.projectId("share-3"), ada));
        assertEquals(404, readStatus(secret), "who made it has left");
        somebody("share-3", ada, ProjectRole.MEMBER);
        assertEquals(200, readStatus(secret), "who made it is back");
        int before = chat.events().size();
        var deleted = chat.change(Change.DELETE).events();
        Projected.into(views.app(), deleted.subList(before, deleted.size()));
        assertEquals(404, readStatus(secret), "the session is deleted");
    }

    @Test
    @Tag("I51")
    void secretIsNeitherStoredNorLogged() {
        // Given
        var log = new ListAppender<ILoggingEvent>();
        var root = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        UUID ada = Ids.of("user", "ada-4");
        project("share-4", false, false);
        String key = somebody("share-4", ada, ProjectRole.MEMBER);
        Projected.into(views.app(), session("share-4", ada).turn("Hello", "Hi").events());

        // When
        String secret = link("share-4", key, "{}");

        assertEquals(200, readStatus(secret));
        assertEquals(405, send("POST", "/v1/shared/" + secret, null, "{}").statusCode());
        assertEquals(
                400,
                send("GET", "/v1/shared/" + secret + "?limit=x", null, null).statusCode());

        // Then
        String hidden = secret.substring(17);
        root.detachAppender(log);
        assertFalse(
                log.list.stream().anyMatch(event -> event.getFormattedMessage().contains(hidden)), "the log has it");
        assertEquals(
                0L,
                views.value("SELECT count(*) FROM sessions.session_share_t t WHERE strpos(t::text, ?) > 0", hidden));
        assertEquals(
                Sha256.hex(secret),
                views.value(
                        "SELECT encode(token_hash, 'hex') FROM sessions.session_share_t WHERE token_prefix = ?",
                        secret.substring(0, 16)));
    }

    // ---- shared content

    @Test
    @Tag("I52")
    void showsReasoningAndToolOutputsOnlyIfRequested() {
        // Given
        UUID ada = Ids.of("user", "ada-5");
        project("share-5", false, false);
        String key = somebody("share-5", ada, ProjectRole.MEMBER);
        Chat chat = session("share-5", ada)
                .say("Use sk-live-0123456789abcdef and parley_abcdefgh_" + "x".repeat(43))
                .answer(
                        List.of(
                                new Block.Thinking("a deep thought", "sig", null),
                                new Block.ToolCall("c1", "add", "{\"token\":\"Bearer abcdef123456\",\"n\":1}", null)),
                        FinishReason.TOOL_CALLS)
                .result(0, "tool says 42")
                .answer("Done with sk-live-0123456789abcdef");
        Projected.into(views.app(), chat.events());

        // When
        String standard = sharedJson(link("share-5", key, "{}"));
        String full = sharedJson(link("share-5", key, "{\"showReasoning\":true,\"showToolOutputs\":true}"));

        // Then
        assertFalse(standard.contains("a deep thought") || standard.contains("reasoning"), standard);
        assertFalse(standard.contains("tool says 42") || standard.contains("Bearer"), standard);
        assertTrue(standard.contains("\"add\""), standard);
        assertTrue(full.contains("a deep thought") && full.contains("tool says 42"), full);
        for (String view : List.of(standard, full)) {
            assertFalse(view.contains("0123456789abcdef") || view.contains("xxxxxxxx"), view);
            assertFalse(view.contains("abcdef123456"), view);
            assertFalse(view.contains("tokens") || view.contains("\"user\":") || view.contains("\"id\""), view);
            assertFalse(view.contains("You help."), "what the agent is told: " + view);
        }
    }

    private static String sharedJson(String secret) {
        return json(200, send("GET", "/v1/shared/" + secret, null, null)).toString();
    }

    @Test
    @Tag("I51")
    void servesFilesOfTheSharedSessionOnly() throws IOException {
        // Given
        UUID ada = Ids.of("user", "ada-6");
        project("share-6", false, false);
        String key = somebody("share-6", ada, ProjectRole.MEMBER);
        String attached = blob("of this session");
        String generated = blob("made by a tool");
        String other = blob("of another session");
        Chat chat = session("share-6", ada)
                .say(MailboxMode.FOLLOWUP, List.of(new Block.File("a.txt", "text/plain", 15, attached, null, null)))
                .call("{}")
                .result(0, "made", List.of(new Block.File("b.txt", "text/plain", 14, generated, null, null)))
                .answer("Here it is");
        Projected.into(views.app(), chat.events());

        // When
        String secret = link("share-6", key, "{}");

        // Then
        var file = send("GET", "/v1/shared/" + secret + "/files/" + attached, null, null);
        assertEquals("of this session", file.body());
        assertEquals(
                "attachment", file.headers().firstValue("Content-Disposition").orElse(""));
        assertEquals(
                "made by a tool",
                send("GET", "/v1/shared/" + secret + "/files/" + generated, null, null)
                        .body());
        assertEquals(
                404,
                send("GET", "/v1/shared/" + secret + "/files/" + other, null, null)
                        .statusCode());
        assertEquals(
                404,
                send("GET", "/v1/shared/" + BearerToken.ofLink().text() + "/files/" + attached, null, null)
                        .statusCode());
        assertTrue(send("GET", "/s/" + secret, null, null).body().contains("/files/" + generated + "\""));
    }

    private static String blob(String text) throws IOException {
        return blobs.put(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .sha256();
    }

    @Test
    void pagesALongSession() {
        // Given
        UUID ada = Ids.of("user", "ada-7");
        project("share-7", false, false);
        String key = somebody("share-7", ada, ProjectRole.MEMBER);
        Chat chat = session("share-7", ada);
        for (int i = 0; i < 5; i++) {
            chat.turn("say " + i, "said " + i);
        }
        Projected.into(views.app(), chat.events());
        String secret = link("share-7", key, "{}");

        // When
        var texts = new StringBuilder();
        String cursor = "";
        do {
            JsonNode page = json(200, send("GET", "/v1/shared/" + secret + "?limit=3&cursor=" + cursor, null, null));
            page.path("data")
                    .forEach(message ->
                            texts.append(message.at("/parts/0/text").asText()).append(' '));
            cursor = page.path("next").asText("");
        } while (!cursor.isEmpty() && !cursor.equals("null"));

        // Then
        assertEquals("say 0 said 0 say 1 said 1 say 2 said 2 say 3 said 3 say 4 said 4 ", texts.toString());
    }
}
