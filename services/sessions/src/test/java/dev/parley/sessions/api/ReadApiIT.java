package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.testkit.EveryProject;
import dev.parley.platform.testkit.Somebody;
import dev.parley.sessions.Chat;
import dev.parley.sessions.TestViews;
import dev.parley.sessions.projection.Projected;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The read API over HTTP. Each test has a project of its own. */
final class ReadApiIT {
    private static final String KEY = "a-key-for-this-test";

    private static TestViews views;
    private static EmbeddedServer server;
    private static HttpClient http;

    @BeforeAll
    static void start() {
        views = new TestViews();
        var properties = new HashMap<String, Object>();
        properties.put("parley.role.sessions", "true");
        properties.put("parley.admin-key", KEY);
        properties.put("micronaut.server.port", -1);
        properties.put("datasources.default.url", views.database().app().url());
        properties.put("datasources.default.username", views.database().app().user());
        properties.put("datasources.default.password", views.database().app().password());
        server = ApplicationContext.builder()
                .properties(properties)
                .singletons(views.clients(), new EveryProject())
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

    private static HttpResponse<String> send(String path) {
        var request =
                HttpRequest.newBuilder(URI.create(server.getURI() + path)).header("Authorization", "Bearer " + KEY);
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode get(String path) {
        var response = send(path);
        assertEquals(200, response.statusCode(), path + ": " + response.body());
        try {
            return new ObjectMapper().readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> texts(JsonNode list, String field) {
        return values(list.get("data"), field);
    }

    private static List<String> values(JsonNode rows, String field) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path(field).asText())
                .toList();
    }

    private static Chat chat(String project, String session) {
        return new Chat(new RecordKey(project, session));
    }

    private static void project(Chat chat) {
        Projected.into(views.app(), chat.events());
    }

    @Test
    @Tag("B222")
    void listsAreFilteredByWhatPeopleThink() {
        // Given
        var good = chat("rated", "s:good").say("one");
        UUID praised = good.turn();
        project(good.answer("1").rate(praised, "ada", Opinion.GOOD, null, null));
        var bad = chat("rated", "s:bad").say("two");
        UUID blamed = bad.turn();
        bad.answer("2").turn("three", "3");
        bad.rate(blamed, "ada", Opinion.BAD, null, "two is two").rate(blamed, "telegram:7", Opinion.BAD, "👎", null);
        project(bad.rate(blamed, "telegram:8", Opinion.GOOD, "👍", null)
                .rate(blamed, "telegram:8", Opinion.WITHDRAWN, "👍", null));
        project(chat("rated", "s:none").turn("four", "4"));

        // Then
        String base = "/v1/projects/rated";
        assertEquals(List.of("s:good"), texts(get(base + "/sessions?feedback=good"), "key"));
        assertEquals(List.of("s:bad"), texts(get(base + "/sessions?feedback=bad"), "key"));
        assertEquals(List.of(), texts(get(base + "/sessions?feedback=other"), "key"));
        JsonNode turns = get(base + "/turns?feedback=bad&total=true");
        assertEquals(1, turns.get("total").asInt());
        JsonNode turn = turns.get("data").get(0);
        assertEquals(blamed.toString(), turn.at("/turn/id").asText());
        assertEquals("{\"good\":0,\"bad\":2,\"other\":0}", turn.get("feedback").toString());
        assertEquals(4, get(base + "/turns").get("data").size());
        JsonNode opinions = get(base + "/sessions/s:bad/turns/" + blamed + "/feedback");
        assertEquals(List.of("telegram:7", "ada"), texts(opinions, "user"));
        assertEquals(List.of("👎", "null"), texts(opinions, "emoji"));
        assertEquals("two is two", opinions.at("/data/1/text").asText());
        assertEquals(400, send(base + "/turns?feedback=nice").statusCode());
        assertEquals(
                404,
                send(base + "/sessions/s:good/turns/" + blamed + "/feedback").statusCode());
    }

    @Test
    @Tag("I41")
    @Tag("I43")
    void pagesStayStableWhileNewSessionsArrive() {
        // Given
        var start = Instant.parse("2026-02-01T00:00:00Z");
        for (int i = 0; i < 30; i++) {
            project(chat("paging", "s:" + i).at(start.plusSeconds(i)).open("Session " + i));
        }
        var first = get("/v1/projects/paging/sessions?limit=10");

        // When
        for (int i = 30; i < 35; i++) {
            project(chat("paging", "s:" + i).at(start.plusSeconds(i)).open("Session " + i));
        }
        var second = get("/v1/projects/paging/sessions?limit=30&cursor="
                + first.get("next").asText());

        // Then
        var keys = new ArrayList<>(texts(first, "key"));
        keys.addAll(texts(second, "key"));
        var expected = new ArrayList<String>();
        for (int i = 29; i >= 0; i--) {
            expected.add("s:" + i);
        }
        assertEquals(expected, keys);
        assertTrue(second.get("next").isNull());
    }

    @Test
    @Tag("I42")
    void slugsAreUnique() {
        Chat first = chat("slugs", "a").open("Fix bug");
        Chat second = chat("slugs", "b").open("Fix bug");
        project(first);
        project(second);
        project(chat("slugs", "c").open("Fix bug 2"));
        project(chat("slugs", "d").open("Fix bug"));

        assertEquals(
                "a",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug").get("key").asText());
        assertEquals(
                "b",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug-2").get("key").asText());
        assertEquals(
                "c",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug-2-2")
                        .get("key")
                        .asText());
        assertEquals(
                "d",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug-3").get("key").asText());

        // When one session is renamed and another archived
        project(first.rename("Write documentation"));
        project(second.change(Change.ARCHIVE));
        project(chat("slugs", "e").open("Fix bug"));

        // Then they keep their slugs
        JsonNode renamed = get("/v1/projects/slugs/sessions/by-slug/fix-bug");
        assertEquals("a", renamed.get("key").asText());
        assertEquals("Write documentation", renamed.get("title").asText());
        assertEquals(
                "b",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug-2").get("key").asText());
        assertEquals(
                "e",
                get("/v1/projects/slugs/sessions/by-slug/fix-bug-4").get("key").asText());
    }

    @Test
    @Tag("I45")
    @Tag("I46")
    void archivedAndDeletedSessionsAreHidden() {
        // Given
        project(chat("hidden", "open").open("x"));
        project(chat("hidden", "archived").open("x").change(Change.ARCHIVE));
        project(chat("hidden", "deleted").open("x").change(Change.DELETE));

        // Then
        assertEquals(List.of("open"), texts(get("/v1/projects/hidden/sessions"), "key"));
        assertEquals(
                2,
                get("/v1/projects/hidden/sessions?includeArchived=true")
                        .get("data")
                        .size());
        assertEquals(
                3,
                get("/v1/projects/hidden/sessions?includeArchived=true&includeDeleted=true")
                        .get("data")
                        .size());
        assertEquals(List.of("archived"), texts(get("/v1/projects/hidden/sessions?status=archived"), "key"));
        assertFalse(
                get("/v1/projects/hidden/sessions/archived").get("archivedAt").isNull());
        assertEquals(404, send("/v1/projects/hidden/sessions/deleted").statusCode());
        assertEquals(404, send("/v1/projects/hidden/sessions/never").statusCode());
        assertEquals(400, send("/v1/projects/hidden/sessions?status=odd").statusCode());
        assertEquals(400, send("/v1/projects/hidden/sessions?cursor=odd").statusCode());
    }

    @Test
    void showsFilesOfAnAgent() {
        // Given
        String sha = "ab".repeat(32);
        project(chat("files", "s")
                .say("draw")
                .call("{}")
                .result(0, "sent", List.of(new Block.File("sums.csv", "text/csv", 12, sha, null, null)))
                .answer(
                        List.of(
                                Block.text("here"),
                                new Block.File(
                                        "image.png",
                                        "image/png",
                                        7,
                                        sha,
                                        null,
                                        new ProviderItem("openai", "image_generation_call", "{\"result\":null}"))),
                        FinishReason.STOP));

        // When
        var parts = get("/v1/projects/files/sessions/s/messages?role=assistant").findParents("sha256");

        // Then
        assertEquals(
                List.of(
                        "{\"name\":\"sums.csv\",\"mimeType\":\"text/csv\",\"size\":12,\"sha256\":\"" + sha + "\"}",
                        "file image.png image/png 7"),
                List.of(
                        parts.getFirst().toString(),
                        String.join(
                                " ",
                                parts.getLast().get("kind").asText(),
                                parts.getLast().get("name").asText(),
                                parts.getLast().get("mimeType").asText(),
                                parts.getLast().get("size").asText())));
    }

    @Test
    @Tag("I41")
    void listsTurnsOfAllSessionsWithFilters() {
        // Given
        var start = Instant.parse("2026-02-01T00:00:00Z");
        for (int i = 0; i < 3; i++) {
            project(chat("turns", "s:" + i).at(start.plusSeconds(60L * i)).turn("said " + i, "reply " + i));
        }
        project(chat("turns", "open").at(start.plusSeconds(300)).say("and now?").say("hello?"));
        project(chat("turns", "gone").turn("x", "y").change(Change.DELETE));
        String turns = "/v1/projects/turns/turns";

        // When
        var allTurns = get(turns + "?total=true");
        var first = get(turns + "?limit=2");
        var second = get(turns + "?limit=9&cursor=" + first.get("next").asText());

        // Then
        assertEquals(5, allTurns.get("total").asInt());
        assertFalse(first.has("total"));
        var sessions = new ArrayList<>(allTurns.get("data").findValuesAsText("session"));
        assertEquals(List.of("open", "open", "s:2", "s:1", "s:0"), sessions);
        assertEquals(List.of("default", "default"), texts(first, "agent"));
        assertEquals(sessions.subList(2, 5), second.get("data").findValuesAsText("session"));
        assertTrue(second.get("next").isNull());
        assertEquals(List.of("reply 1"), get(turns + "?session=s:1").get("data").findValuesAsText("reply"));
        assertEquals(2, get(turns + "?state=open").get("data").size());
        assertEquals(1, get(turns + "?state=queued,FAILED").get("data").size());
        assertEquals(3, get(turns + "?state=COMPLETED&total=true").get("total").asInt());
        assertEquals(0, get(turns + "?agent=another").get("data").size());
        assertEquals(
                List.of("open", "open", "s:2"),
                get(turns + "?since=2026-02-01T00:02:00Z").get("data").findValuesAsText("session"));
        for (String wrong : List.of("state=odd", "since=yesterday", "limit=0", "cursor=odd")) {
            assertEquals(400, send(turns + "?" + wrong).statusCode(), wrong);
        }
    }

    @Test
    @Tag("I41")
    void turnListWithoutDataTruncatesMessages() {
        project(chat("long-turns", "long").turn("x".repeat(500), "a reply"));
        String turns = "/v1/projects/long-turns/turns";

        var full = get(turns).get("data").get(0).get("turn");
        var truncated = get(turns + "?data=false").get("data").get(0).get("turn");

        assertEquals("x".repeat(500), full.get("text").asText());
        assertEquals("a reply", full.get("reply").asText());
        assertEquals("x".repeat(200), truncated.get("text").asText());
        assertEquals("", truncated.get("reply").asText());
    }

    @Test
    @Tag("I120")
    @Tag("P8")
    @Tag("I60")
    void listsTurnsMessagesAndTheQueue() {
        // Given
        var chat = chat("lists", "s")
                .turn("one", "1")
                .say("two")
                .call("{\"a\":1}")
                .result(0, "7")
                .answer("2");
        project(chat.say("three").say("four").say("five"));
        String base = "/v1/projects/lists/sessions/s";

        // Then
        assertEquals(List.of("1", "2", "3", "4", "5"), texts(get(base + "/turns"), "seq"));
        assertEquals(List.of("1", "2"), texts(get(base + "/queue"), "position"));
        var forward = get(base + "/messages?limit=4");
        var rest = get(base + "/messages?limit=4&cursor=" + forward.get("next").asText());
        var back = get(base + "/messages?order=desc");
        var ids = new ArrayList<>(texts(forward, "id"));
        ids.addAll(texts(rest, "id"));
        assertEquals(
                ids.reversed(),
                texts(back, "id")
                        .subList(
                                back.get("data").size() - ids.size(),
                                back.get("data").size()));
        assertTrue(texts(get(base + "/messages?role=user"), "role").stream().allMatch("user"::equals));
        var tool = get(base + "/messages/" + ids.get(3)).get("parts").get(1);
        assertEquals("7", tool.get("result").asText());
        assertEquals("completed", tool.get("status").asText());
        var turn = get("/v1/turns/" + forward.get("data").get(0).get("turn").asText());
        assertEquals("1", turn.get("reply").asText());
        assertEquals("s", turn.get("session").asText());
        assertEquals("scripted/scripted-1", turn.get("model").asText());
        assertTrue(
                get(base + "/queue").get("data").get(0).get("turn").get("model").isNull());
        assertEquals(
                0,
                new java.math.BigDecimal("0.0000015")
                        .compareTo(turn.get("usage").get("cost").decimalValue()));
        assertEquals(4, get(base + "/history").get("messages").size() - 1);
    }

    @Test
    @Tag("I60")
    void limitsTheSizeOfAPageOfMessages() {
        // Given
        var large = "x".repeat(3 << 20);
        project(chat("large", "s").turn("one", large).turn("two", large).turn("three", "short"));
        String base = "/v1/projects/large/sessions/s/messages?order=desc&limit=100";

        // When
        var first = get(base);
        var second = get(base + "&cursor=" + first.get("next").asText());

        // Then
        assertEquals(List.of("assistant", "user", "assistant", "user"), texts(first, "role"));
        assertEquals(List.of("assistant", "user"), texts(second, "role"));
        assertTrue(second.get("next").isNull());
        String turn = second.get("data").get(0).get("turn").asText();
        assertEquals(
                List.of(turn, turn),
                texts(get("/v1/projects/large/sessions/s/messages?turn=" + turn), "turn"),
                "those of one turn alone");
    }

    @Test
    @Tag("I61")
    void filtersByRoleAndShowsSystemMessagesToOperatorsOnly() {
        // Given
        var chat = chat("default", "roles")
                .seed(List.of(
                        Message.text(Role.USER, "add 1 and 2"),
                        Message.toolCall("c1", "add", "{}"),
                        Message.toolResult("c1", "3", false),
                        Message.text(Role.ASSISTANT, "3")));
        project(chat.turn("thanks", "You are welcome."));
        String messages = "/v1/sessions/roles/messages";
        var person = Somebody.with("ada", ProjectRole.MEMBER);
        var controller = server.getApplicationContext().getBean(MessageReadController.class);

        // Then
        var roles = List.of("user", "assistant", "tool", "assistant", "user", "assistant");
        assertEquals(roles, texts(get(messages), "role"));
        for (String role : List.of("user", "assistant", "tool")) {
            assertEquals(roles.stream().filter(role::equals).toList(), texts(get(messages + "?role=" + role), "role"));
        }
        assertEquals(400, send(messages + "?role=odd").statusCode());
        assertEquals(List.of("system"), texts(get(messages + "?role=system"), "role"));
        assertTrue(get(messages + "?role=system").toString().contains("You help."));
        assertEquals(
                roles,
                controller.list(null, "roles", null, null, null, null, null, null, null, person).data().stream()
                        .map(MessageJson::role)
                        .toList());
        assertEquals(
                List.of(),
                controller
                        .list(null, "roles", "system", null, null, null, null, null, null, person)
                        .data());
        var prompt = UUID.fromString(texts(get(messages + "?role=system"), "id").getFirst());
        assertThrows(ApiException.class, () -> controller.show(null, "roles", prompt, person));
        assertFalse(get(messages).toString().contains("You help."), "instructions are shown to who asks for them");
    }

    @Test
    @Tag("I109")
    void listsTodosInOrder() {
        // Given
        project(chat("todos", "s").say("work").todos("read", "write"));
        project(chat("todos", "idle").turn("hi", "hello"));
        project(new Chat("todos").say("work").todos("secret"));

        // Then
        var todos = get("/v1/projects/todos/sessions/s/todos");
        assertEquals(List.of("read", "write"), texts(todos, "content"));
        assertEquals(List.of("0", "1"), texts(todos, "position"));
        assertEquals(List.of("read now", "write now"), texts(todos, "activeForm"));
        assertEquals(List.of("in_progress", "pending"), texts(todos, "status"));
        assertTrue(todos.get("next").isNull());
        assertEquals(List.of(), texts(get("/v1/projects/todos/sessions/idle/todos"), "content"));
        assertEquals(List.of("secret"), texts(get("/v1/sessions/todos/todos"), "content"));
        assertEquals(404, send("/v1/sessions/none/todos").statusCode());
    }

    @Test
    @Tag("I70")
    void messagePartsAreTypedAndOrdered() {
        // Given
        var search = new ProviderItem("scripted", "web_search_call", "{\"type\":\"web_search_call\"}");
        var chat = chat("parts", "s")
                .say(
                        MailboxMode.FOLLOWUP,
                        List.of(
                                new Block.File("a.pdf", "application/pdf", 7, "ab", null, null),
                                Block.text("read this"),
                                Block.text("and this")));
        chat.answer(
                List.of(
                        new Block.Thinking("hm", "signed", null),
                        Block.text("let me see"),
                        new Block.ToolCall("c0", "add", "{}", null),
                        new Block.Raw(search),
                        new Block.ToolCall("c1", "add", "{}", null),
                        Block.text("so")),
                FinishReason.TOOL_CALLS);
        project(chat.result(1, "later first").result(0, "then this").answer("done"));
        views.query(
                "UPDATE sessions.agent_message_part_t SET idx = idx WHERE idx < 3 AND session_id = ?",
                chat.sessionId());

        // When
        String messages = "/v1/projects/parts/sessions/s/messages";
        var ids = texts(get(messages), "id");
        var userParts = get(messages + "/" + ids.getFirst()).get("parts");
        var assistantParts = get(messages + "/" + ids.get(1)).get("parts");

        // Then
        assertEquals(List.of("file", "text", "text"), values(userParts, "kind"));
        assertEquals(
                List.of("a.pdf", "read this", "and this"),
                List.of(
                        userParts.get(0).get("name").asText(),
                        userParts.get(1).get("text").asText(),
                        userParts.get(2).get("text").asText()));
        assertEquals(
                List.of("step-start", "reasoning", "text", "tool", "tool", "tool", "text", "step-finish"),
                values(assistantParts, "kind"));
        assertEquals(List.of("", "", "", "then this", "", "later first", "", ""), values(assistantParts, "result"));
        assertEquals("provider", assistantParts.get(4).get("executedBy").asText());
        assertEquals(assistantParts, get(messages).get("data").get(1).get("parts"));
    }

    @Test
    @Tag("P2")
    void channelOfASessionDoesNotDependOnItsKey() {
        // Given
        project(chat("channels", "web:looks-like-web").turn("x", "y")); // came from telegram
        project(chat("channels", "telegram:opened").open("x")); // was opened through the API

        // Then
        assertEquals(
                List.of("web:looks-like-web"), texts(get("/v1/projects/channels/sessions?channel=telegram"), "key"));
        assertEquals(List.of("telegram:opened"), texts(get("/v1/projects/channels/sessions?channel=api"), "key"));
        assertEquals(List.of(), texts(get("/v1/projects/channels/sessions?channel=web"), "key"));
        assertEquals(2, get("/v1/projects/channels/sessions").get("data").size());
        var session = get("/v1/projects/channels/sessions/web:looks-like-web");
        assertEquals(
                "telegram 648",
                session.get("channel").asText() + " " + session.get("channelId").asText());
    }

    @Test
    @Tag("P10")
    void modelCanChangeBetweenTurns() {
        // When
        var chat = chat("models", "s")
                .turn("one", "1")
                .model("scripted-2")
                .turn("two", "2")
                .model("scripted-3")
                .say("three");
        project(chat.model("scripted-4").call("{}").result(0, "7").answer("3"));

        // Then
        var models = List.of("scripted-1", "scripted-2", "scripted-3", "scripted-3");
        assertEquals(models, texts(get("/v1/projects/models/sessions/s/messages?role=assistant"), "model"));
        assertEquals(
                "scripted-3",
                get("/v1/projects/models/sessions/s").get("model").asText(),
                "a turn keeps what it began with");
        assertEquals(
                List.of("scripted/scripted-1", "scripted/scripted-2", "scripted/scripted-3"),
                texts(get("/v1/projects/models/sessions/s/turns"), "model"));
        assertEquals("one", chat.context().getFirst().text(), "the new model is shown what the old one was");
    }

    @Test
    @Tag("I67")
    void showsAFailureAsASentence() {
        // Given
        var chat = chat("failures", "s").say("x").fail(ErrorCategory.INVALID_REQUEST, List.of());
        project(chat);

        // When
        var turn = get("/v1/projects/failures/sessions/s/turns").get("data").get(0);

        // Then
        assertEquals("FAILED", turn.get("state").asText());
        assertEquals("invalid_request", turn.get("error").get("type").asText());
        assertFalse(turn.toString().contains("4xx"));
        var overview = get("/v1/ops/overview?project=failures");
        assertTrue(overview.has("lag"));
        assertEquals(0, overview.get("strayApprovals").asInt());
        var failed =
                get("/v1/projects/failures/sessions/s/turns/" + turn.get("id").asText() + "/model-calls");
        var attempt = failed.get("data").get(0);
        assertEquals("invalid_request", attempt.get("error").asText());
        assertTrue(attempt.has("detail"), "an operator sees what the provider said");
        var answer = get("/v1/projects/failures/sessions/s/turns/"
                + turn.get("id").asText() + "/model-calls/"
                + attempt.get("call").asText() + "/" + attempt.get("attempt").asInt());
        assertTrue(answer.has("response"));
    }

    @Test
    @Tag("O7")
    void overviewShowsOpenTurnsFailuresAndCalls() {
        // Given
        project(chat("overview", "s")
                .at(Instant.now())
                .turn("a", "b")
                .say("add")
                .call("{}")
                .result(0, "r")
                .answer("ok"));
        project(chat("overview", "t").at(Instant.now()).say("and now"));
        project(chat("overview", "u").at(Instant.now()).say("x").fail(ErrorCategory.INVALID_REQUEST, List.of()));

        // When
        var overview = get("/v1/ops/overview?project=overview");

        // Then
        assertEquals("t", overview.get("open").get(0).get("session").asText());
        assertEquals(1, overview.get("failures").get("invalid_request").asInt());
        var model = overview.get("models").get(0);
        assertEquals(1, model.get("failed").asInt());
        assertTrue(model.get("calls").asInt() > 1, model.toString());
        var tool = overview.get("tools").get(0);
        assertEquals(1, tool.get("calls").asInt());
        assertEquals(0, tool.get("failed").asInt());
        assertTrue(tool.get("p95Seconds").asDouble() >= tool.get("p50Seconds").asDouble());
    }

    @Test
    @Tag("I69")
    void searchMatchesWordsPhrasesPrefixesAndAccents() {
        // Given
        project(chat("search", "s")
                .turn("Where is the Crème Brûlée kept?", "In the red fridge, next to the kafkaesque cake")
                .say("add")
                .call("{\"secret\":\"zanzibar\"}")
                .result(0, "xylophone")
                .answer("ok"));
        project(chat("elsewhere", "s").turn("creme", "fridge"));
        project(chat("search", "gone").turn("creme of the deleted", "fridge").change(Change.DELETE));

        // Then
        assertEquals(1, hits("creme brulee"));
        assertEquals(1, hits("\"red fridge\""));
        assertEquals(0, hits("\"fridge red\""));
        assertEquals(1, hits("kafka*"));
        assertEquals(0, hits("kafka"));
        assertEquals(0, hits("creme fridge"));
        assertEquals(0, hits("zanzibar"));
        assertEquals(
                1,
                get("/v1/projects/search/search?tools=true&q=zanzibar+xylophone")
                        .get("data")
                        .size());
        assertEquals(400, send("/v1/projects/search/search?q=%21").statusCode());
        var hit = get("/v1/projects/search/search?q=BRULEE").get("data").get(0);
        assertTrue(hit.get("snippet").asText().contains("Brûlée"));
    }

    private static int hits(String q) {
        return get("/v1/projects/search/search?q=" + URLEncoder.encode(q, StandardCharsets.UTF_8))
                .get("data")
                .size();
    }

    @Test
    @Tag("I78")
    void operatorsListTheCallsOfATool() {
        // Given
        project(chat("ops", "s")
                .say("x")
                .call("{\"n\":1}", "{\"n\":2}")
                .result(0, "1")
                .result(1, "2")
                .answer("ok"));

        // When
        var first = get("/v1/ops/tools/add/calls?project=ops&limit=1");
        var second = get("/v1/ops/tools/add/calls?project=ops&limit=1&cursor="
                + first.get("next").asText());

        // Then
        assertEquals("completed", first.get("data").get(0).get("status").asText());
        assertTrue(second.get("next").isNull());
        assertTrue(second.get("data").get(0).get("arguments").isTextual());
        var bare = get("/v1/ops/tools/add/calls?project=ops&data=false")
                .get("data")
                .get(0);
        assertTrue(bare.get("arguments").isNull() && bare.get("result").isNull());
        assertEquals(0, get("/v1/ops/tools/other/calls?project=ops").get("data").size());
    }

    @Test
    @Tag("I47")
    @Tag("I60")
    @Tag("I78")
    void listsUseTheirIndexes() {
        // Given
        project(chat("explain", "s:0")
                .turn("creme brulee", "yes")
                .say("x")
                .call("{}")
                .result(0, "1")
                .answer("ok"));
        multiply();

        String session = "host_id = '%s' AND project_id = '%s'".formatted(Chat.HOST, RecordKey.projectId("explain"));

        // Then
        uses(
                "idx_sessions_status",
                "SELECT * FROM sessions.agent_session_t WHERE " + session
                        + " AND status = 'active' AND parent_session_id IS NULL ORDER BY created_ts DESC, session_id DESC LIMIT 50");
        uses(
                "idx_sessions_created",
                "SELECT * FROM sessions.agent_session_t WHERE " + session
                        + " AND parent_session_id IS NULL ORDER BY created_ts DESC, session_id DESC LIMIT 50");
        uses(
                "idx_sessions_parent",
                "SELECT * FROM sessions.agent_session_t WHERE " + session
                        + " AND parent_session_id IS NOT NULL AND parent_session_id = '00000000-0000-0000-0000-000000000001'"
                        + " ORDER BY created_ts DESC, session_id DESC LIMIT 50");
        uses(
                "idx_messages_session",
                "SELECT * FROM sessions.agent_message_t m WHERE m.host_id = '%s' AND m.session_id = '%s'"
                                .formatted(Chat.HOST, new RecordKey("explain", "s:0").sessionId(0))
                        + " ORDER BY m.position, m.seq LIMIT 50");
        uses(
                "idx_session_files",
                "SELECT * FROM sessions.session_file_t WHERE host_id = '%s' AND sha256 = 'ab'".formatted(Chat.HOST));
        uses(
                "idx_parts_tool",
                "SELECT * FROM sessions.agent_message_part_t p WHERE p.kind = 'tool' AND " + session
                        + " AND tool_name = 'add' ORDER BY created_ts DESC, part_id DESC LIMIT 50");
        uses(
                "idx_parts_search",
                "SELECT * FROM to_tsquery('simple', 'creme & brulee') q JOIN sessions.agent_message_part_t p ON p.search @@ q"
                        + " WHERE p.search_text IS NOT NULL AND " + session);
    }

    /** Twenty thousand sessions and parts by SQL. */
    private static void multiply() {
        for (String sql : List.of("""
                INSERT INTO sessions.agent_session_t (host_id, project_id, session_id, session_key, epoch, slug, channel, agent,
                  bank_id, title, title_given, status, created_ts, aggregate_version, update_ts, update_user, archived_ts, parent_session_id)
                SELECT host_id, project_id, gen_random_uuid(), 'm:' || n, 0, 'm-' || n, channel, agent, bank_id, title, true,
                  CASE WHEN n % 10 = 0 THEN 'archived' ELSE 'active' END, created_ts + n * interval '1 second', 1, update_ts, 'parley',
                  CASE WHEN n % 10 = 0 THEN now() END, CASE WHEN n % 5 = 0 THEN gen_random_uuid() END
                FROM sessions.agent_session_t, generate_series(1, 20000) n WHERE session_key = 's:0' AND project_id = ?
                """, """
                INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, seq, position, role, created_ts,
                  aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, session_id, 0, 1, 'user', created_ts, 1, update_ts, 'parley'
                FROM sessions.agent_session_t WHERE session_key LIKE 'm:%' AND project_id = ?
                """, """
                INSERT INTO sessions.agent_message_part_t (host_id, project_id, session_id, part_id, message_id, idx, kind, content,
                  tool_name, tool_status, executed_by, search_text, created_ts, aggregate_version, update_ts, update_user)
                SELECT host_id, project_id, session_id, gen_random_uuid(), session_id, k, CASE k WHEN 0 THEN 'text' ELSE 'tool' END,
                  '{"text":"words"}', CASE k WHEN 1 THEN 'tool' || right(session_key, 2) END, CASE k WHEN 1 THEN 'completed' END,
                  CASE k WHEN 1 THEN 'parley' END, 'words of ' || session_key, created_ts, 1, update_ts, 'parley'
                FROM sessions.agent_session_t, generate_series(0, 1) k WHERE session_key LIKE 'm:%' AND project_id = ?
                """, """
                INSERT INTO sessions.session_file_t (host_id, project_id, session_id, sha256, aggregate_version)
                SELECT host_id, project_id, session_id, md5(session_key), 1
                FROM sessions.agent_session_t WHERE session_key LIKE 'm:%' AND project_id = ?
                """)) {
            views.query(sql, RecordKey.projectId("explain"));
        }
        views.query("ANALYZE");
    }

    private static void uses(String index, String sql) {
        var tenant = Tenant.of(Chat.HOST).project(RecordKey.projectId("explain"));
        String plan = TestViews.query(views.app(), tenant, "EXPLAIN " + sql).stream()
                .map(Map::toString)
                .reduce("", String::concat);
        assertTrue(plan.contains(index), plan);
    }
}
