package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The complete server process with fake provider APIs. */
class ModelsIT {
    private static final String SECRET = "sk-sentinel-0123456789";
    private static final String PRICE = "/v1/prices/openai/gpt-of-changing-price";
    private static final String BUDGET = "/v1/projects/default/settings/budget";

    @TempDir
    static Path folder;

    private static HttpDouble openai;
    private static HttpDouble anthropic;
    private static HttpDouble gemini;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        openai = new HttpDouble();
        anthropic = new HttpDouble();
        gemini = new HttpDouble();
        Files.writeString(folder.resolve("key"), SECRET + "\n");
        Files.writeString(folder.resolve("parley.yml"), """
            providers:
              openai: { baseUrl: "%1$s", apiKey: "file:%3$s" }
              anthropic: { baseUrl: "%2$s", apiKey: "file:%3$s" }
              gemini: { kind: openai-chat, baseUrl: "%4$s", apiKey: "file:%3$s", options: { server: gemini } }
            prices:
              - { model: openai/gpt-5, input: 1, cacheRead: 0.1, output: 10 }
            agents:
              - name: gpt
                model: openai/gpt-5
                limits: { modelAttempts: 3 }
                options: { models: openai/gpt-5-mini, transcriber: openai/whisper-1 }
              - { name: claude, model: anthropic/claude-opus-4-6, maxTokens: 4000 }
              - name: thinker
                model: anthropic/claude-opus-4-6
                thinking: high
                options: { models: anthropic/claude-haiku-4-5 }
              - { name: bard, model: gemini/gemini-3-pro }
              - { name: priced, model: openai/gpt-of-changing-price }
            """.formatted(
                        openai.url(), anthropic.url(), folder.resolve("key"), gemini.url()));
        instance = Instances.start(folder.resolve("data"));
        api = Api.of(instance);
    }

    @AfterAll
    static void stop() {
        instance.close();
        openai.close();
        anthropic.close();
        gemini.close();
    }

    private static JsonNode say(String session, String agent, String text) {
        return api.turn(session, Map.of("text", text, "agent", agent)).json();
    }

    /** A response of OpenAI with these items, streamed. */
    private static HttpDouble.Reply response(String... items) {
        return HttpDouble.stream(stream -> {
            for (int i = 0; i < items.length; i++) {
                stream.event("{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}"
                        .formatted(i, items[i]));
            }
            stream.event("{\"type\":\"response.completed\",\"response\":" + body(items) + "}");
        });
    }

    private static String body(String... items) {
        return """
            {"id":"resp_1","status":"completed","model":"gpt-5-2025-08-07","big":9007199254740993,"output":[%s],\
            "usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":400},"output_tokens":100,\
            "output_tokens_details":{"reasoning_tokens":60}}}\
            """.formatted(String.join(",", items));
    }

    private static String message(String text) {
        return Responses.message(text);
    }

    private static String echo(String callId) {
        return "{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"" + callId
                + "\",\"name\":\"echo\",\"arguments\":\"{\\\"text\\\": \\\"hi\\\"}\",\"status\":\"completed\"}";
    }

    @Test
    @Tag("B94")
    void aModelIsToldWhyItsAnswerIsNoneOfAStrictSchema() {
        // Given
        var schema = Map.of(
                "type",
                "object",
                "properties",
                Map.of("n", Map.of("type", "integer")),
                "required",
                List.of("n"),
                "additionalProperties",
                false);
        gemini.answers(chat("{\\\"n\\\":\\\"1\\\"}"), chat("{\\\"n\\\":1}"), chat("ok"));
        int before = gemini.seen().size();

        // When
        JsonNode turn = api.turn(
                        "web:strict",
                        Map.of(
                                "text",
                                "count",
                                "agent",
                                "bard",
                                "settings",
                                Map.of("responseSchema", schema, "strictSchema", true)))
                .json();

        // Then
        assertEquals("{\"n\":1}", turn.path("reply").asText(), turn.toString());
        String first = gemini.seen().get(before).body();
        String second = gemini.seen().get(before + 1).body();
        assertFalse(first.contains("was not used"), first);
        assertTrue(
                second.contains("Your last answer was not used") && second.contains("string found, integer expected"),
                second);
        say("web:strict", "bard", "and?");
        assertFalse(gemini.lastBody().contains("was not used"), gemini.lastBody());
        assertEquals(4, api.list("/v1/sessions/web:strict/messages?fresh=true").size());
    }

    @Test
    @Tag("P9")
    @Tag("I63")
    @Tag("I66")
    void storesRawResponsesAndUsageOfAToolTurn() {
        // Given
        openai.answers(response(echo("call_1")), response(message("It says hi.")));

        // When
        JsonNode turn = say("web:tool", "gpt", "use the tool");

        // Then
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        assertEquals("It says hi.", turn.path("reply").asText());
        JsonNode usage = turn.path("usage");
        assertEquals(2_000, usage.path("input").asInt());
        assertEquals(800, usage.path("cacheRead").asInt());
        assertEquals(200, usage.path("output").asInt());
        assertEquals(120, usage.path("reasoning").asInt());
        // Each call: 600 tokens at 1, 400 at 0.1 and 100 at 10 dollars a million.
        assertEquals("0.00328", usage.path("cost").asText());
        String second = openai.lastBody();
        assertTrue(second.contains(echo("call_1")), second);
        assertTrue(second.contains("\"type\":\"function_call_output\",\"call_id\":\"call_1\""), second);
        assertEquals("Bearer " + SECRET, openai.seen().getLast().header("Authorization"));
        List<String> bodies = List.of(body(echo("call_1")), body(message("It says hi.")));
        String session = api.get("/v1/sessions/web:tool").json().path("id").asText();
        String raw = "select response_raw from sessions.model_call_t where session_id = '%s'";
        Awaitility.await().until(() -> strings(raw.formatted(session)).containsAll(bodies));
        JsonNode answer =
                api.list("/v1/sessions/web:tool/messages?role=assistant").getFirst();
        assertEquals("openai", answer.path("provider").asText(), answer.toString());
        assertEquals("gpt-5-2025-08-07", answer.path("model").asText());
    }

    @Test
    @Tag("P27")
    void conversationContinuesWithAnotherProvider() {
        // Given
        openai.answers(response(echo("call_1")), response(message("It says hi.")));
        say("web:switch", "gpt", "use the tool");
        anthropic.answers(HttpDouble.events(
                """
                {"type":"message_start","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-4-6",\
                "content":[],"usage":{"input_tokens":10,"output_tokens":1}}}\
                """,
                "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}",
                "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"I go"
                        + " on.\"}}",
                "{\"type\":\"content_block_stop\",\"index\":0}",
                "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}",
                "{\"type\":\"message_stop\"}"));

        // When
        JsonNode turn = say("web:switch", "claude", "go on");

        // Then
        assertEquals("I go on.", turn.path("reply").asText(), turn.toString());
        String request = anthropic.lastBody();
        assertTrue(request.contains("\"type\":\"tool_use\",\"id\":\"call_1\",\"name\":\"echo\""), request);
        assertTrue(request.contains("\"tool_use_id\":\"call_1\""), request);
        assertTrue(request.contains("It says hi."), request);
        assertFalse(request.contains("fc_1"), request);
        assertEquals(SECRET, anthropic.seen().getLast().header("x-api-key"));
        assertEquals(0.000175, turn.path("usage").path("cost").asDouble(), "10 tokens at 5, 5 at 25 dollars a million");

        // When
        openai.answers(response(message("Welcome back.")));
        JsonNode back = say("web:switch", "gpt", "and you?");

        // Then
        assertEquals("Welcome back.", back.path("reply").asText(), back.toString());
        assertTrue(openai.lastBody().contains(echo("call_1")), "what is its own goes back as it came");
        assertTrue(openai.lastBody().contains("I go on."), openai.lastBody());
    }

    @Test
    @Tag("I67")
    void retriesABusyProvider() {
        // Given
        openai.answers(
                HttpDouble.json(429, "{\"error\":{\"message\":\"slow\"}}", "retry-after-ms", "50"),
                HttpDouble.json(529, "{\"error\":{\"message\":\"busy\"}}", "retry-after-ms", "50"),
                response(message("Now.")));

        // When
        JsonNode turn = say("web:busy", "gpt", "hello");

        // Then
        assertEquals("Now.", turn.path("reply").asText(), turn.toString());
        Awaitility.await()
                .until(() -> api.list("/v1/sessions/web:busy/messages").size() == 2);
    }

    @Test
    void rejectedKeyIsReportedWithoutTheKey() {
        // Given
        openai.answers(HttpDouble.json(
                401,
                "{\"error\":{\"message\":\"Incorrect API key provided: " + SECRET
                        + "\",\"code\":\"invalid_api_key\"}}"));

        // When
        JsonNode turn = say("web:key", "gpt", "hello");

        // Then
        assertEquals("FAILED", turn.path("state").asText());
        assertEquals("auth", turn.path("error").path("type").asText());
        assertTrue(turn.path("reply").asText().contains("did not accept its API key"), turn.toString());
        Awaitility.await().until(() -> !strings("""
            select error_detail from sessions.model_call_t where error_type = 'auth'\
            """).isEmpty());
        assertFalse(turn.toString().contains("sentinel"));
        assertEquals(
                0,
                strings("select error_detail from sessions.model_call_t where error_detail like '%sentinel%'")
                        .size());
    }

    @Test
    @Tag("K22")
    void cancelClosesTheConnectionAndKeepsThePartialReply() throws InterruptedException {
        // Given
        var speaking = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        openai.answers(HttpDouble.stream(stream -> {
            stream.event("{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Once upon\"}");
            speaking.countDown();
            stream.untilClosed(closed);
        }));
        String id = api.post("/v1/sessions/web:stop/turns", Map.of("text", "tell me a story", "agent", "gpt"))
                .json()
                .path("id")
                .asText();
        assertTrue(speaking.await(60, TimeUnit.SECONDS));

        // When
        api.post("/v1/sessions/web:stop/turns/" + id + "/cancel", Map.of());

        // Then
        assertTrue(closed.await(60, TimeUnit.SECONDS), "the connection is closed");
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/web:stop/turns/" + id)
                        .json()
                        .path("state")
                        .asText()
                        .equals("CANCELLED"));
        openai.answers(response(message("ok")));
        say("web:stop", "gpt", "go on");
        assertTrue(openai.lastBody()
                .contains(
                        "\"Once upon\"},{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"[interrupted]\"}"));
    }

    @Test
    @Tag("P51")
    void voiceMessageIsTranscribedOnceAndAnswered() {
        // Given
        openai.answers(
                HttpDouble.json(503, "{}", "retry-after-ms", "50"),
                HttpDouble.json(200, "{\"text\":\"Tell me the time.\"}"),
                response(message("Noon.")));
        var voice = Map.of("kind", "file", "name", "v.ogg", "mimeType", "audio/ogg", "data", "T2dnUw==");

        // When
        JsonNode turn = api.turn("web:voice", Map.of("parts", List.of(voice), "agent", "gpt"))
                .json();

        // Then
        assertEquals("Noon.", turn.path("reply").asText(), turn.toString());
        assertEquals("Tell me the time.", turn.path("text").asText());
        assertEquals("openai/gpt-5-2025-08-07", turn.path("model").asText());
        assertTrue(openai.lastBody().contains("[recording 'v.ogg']\\nTell me the time."), openai.lastBody());
        Awaitility.await()
                .until(() -> api.list("/v1/sessions/web:voice/messages").size() == 2);
        JsonNode part = api.list("/v1/sessions/web:voice/messages?role=user")
                .getFirst()
                .path("parts")
                .path(0);
        assertEquals("Tell me the time.", part.path("transcript").asText(), part.toString());
        assertTrue(strings("select response_raw from sessions.model_call_t where purpose = 'transcript'")
                .contains("{\"text\":\"Tell me the time.\"}"));
        assertEquals("found", api.list("/v1/search?q=time").isEmpty() ? "nothing" : "found");

        // When
        openai.answers(response(message("Still noon.")));
        say("web:voice", "gpt", "and now?");

        // Then
        assertTrue(openai.lastBody().contains("Tell me the time."), "it is not listened to again");
    }

    @Test
    @Tag("P51")
    void voiceMessageWithoutATranscriberGetsARefusal() {
        var voice = Map.of("kind", "file", "name", "v.ogg", "mimeType", "audio/ogg", "data", "T2dnUw==");

        JsonNode turn = api.turn("web:deaf", Map.of("parts", List.of(voice), "agent", "claude"))
                .json();

        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        assertTrue(turn.path("reply").asText().contains("Please write"), turn.toString());
    }

    @Test
    @Tag("P10")
    void sessionAndTurnSettingsSelectTheModel() {
        // Given
        openai.answers(response(message("One.")), response(message("Two.")));
        say("web:choice", "gpt", "hello");

        // When
        api.patch("/v1/sessions/web:choice", Map.of("settings", Map.of("model", "openai/gpt-5-mini")));
        say("web:choice", "gpt", "hello");

        // Then
        assertTrue(openai.lastBody().contains("\"model\":\"gpt-5-mini\""), openai.lastBody());
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/web:choice")
                        .json()
                        .path("settings")
                        .path("model")
                        .asText()
                        .equals("openai/gpt-5-mini"));

        // When
        openai.answers(response(message("Three.")));
        var settings = Map.of(
                "model",
                "openai/gpt-5",
                "thinking",
                "high",
                "maxTokens",
                2_000,
                "responseSchema",
                Map.of("type", "object"));
        api.turn("web:choice", Map.of("text", "x", "agent", "gpt", "settings", settings));

        // Then
        String request = openai.lastBody();
        assertTrue(request.contains("\"model\":\"gpt-5\""), request);
        assertTrue(request.contains("\"effort\":\"high\""), request);
        assertTrue(request.contains("\"max_output_tokens\":2000"), request);
        assertTrue(request.contains("\"schema\":{\"type\":\"object\"}"), request);

        // When
        var refused = api.post(
                "/v1/sessions/web:choice/turns",
                Map.of("text", "x", "agent", "gpt", "settings", Map.of("model", "openai/o3-pro")));

        // Then
        assertEquals(400, refused.status(), refused.text());
        assertTrue(refused.text().contains("openai/gpt-5, openai/gpt-5-mini"), refused.text());
    }

    private static JsonNode say(String session, String agent, String text, Map<String, Object> settings) {
        JsonNode turn = api.turn(session, Map.of("text", text, "agent", agent, "settings", settings))
                .json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        return turn;
    }

    /** A streamed response of Claude with these blocks. */
    @SafeVarargs
    private static HttpDouble.Reply claude(String reason, List<String>... blocks) {
        var events = new ArrayList<String>();
        events.add("""
            {"type":"message_start","message":{"id":"msg_3","type":"message","role":"assistant","model":"claude-opus-4-6",\
            "content":[],"usage":{"input_tokens":10,"output_tokens":1}}}\
            """);
        for (int i = 0; i < blocks.length; i++) {
            for (String event : blocks[i]) {
                events.add(event.replace("\"index\":0", "\"index\":" + i));
            }
        }
        events.add("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + reason
                + "\"},\"usage\":{\"output_tokens\":5}}");
        events.add("{\"type\":\"message_stop\"}");
        return HttpDouble.events(events);
    }

    /** A content block with this start and these deltas. */
    private static List<String> block(String start, String... deltas) {
        var events = new ArrayList<String>();
        events.add("{\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + start + "}");
        for (String delta : deltas) {
            events.add("{\"type\":\"content_block_delta\",\"index\":0,\"delta\":" + delta + "}");
        }
        events.add("{\"type\":\"content_block_stop\",\"index\":0}");
        return events;
    }

    private static List<String> words(String text) {
        return block("{\"type\":\"text\",\"text\":\"\"}", "{\"type\":\"text_delta\",\"text\":\"" + text + "\"}");
    }

    @Test
    @Tag("P25")
    void returnsItemsOfAllKindsUnchangedAndAnswersCalls() {
        // Given
        List<String> items = List.of(
                "{\"id\":\"ml_1\",\"type\":\"mcp_list_tools\",\"server_label\":\"s\",\"tools\":[{\"name\":\"n\",\"big\":9007199254740993}]}",
                "{\"id\":\"ma_1\",\"type\":\"mcp_approval_request\",\"server_label\":\"s\",\"name\":\"n\",\"arguments\":\"{"
                        + " }\"}",
                "{\"id\":\"mc_1\",\"type\":\"mcp_call\",\"server_label\":\"s\",\"name\":\"n\",\"arguments\":\"{}\",\"output\":\"o\",\"score\":0.50}",
                "{\"id\":\"ig_1\",\"type\":\"image_generation_call\",\"status\":\"failed\",\"result\":null}",
                "{\"id\":\"cp_1\",\"type\":\"compaction\",\"encrypted_content\":\"gAAA+\\/=\"}",
                "{\"id\":\"ct_1\",\"type\":\"custom_tool_call\",\"status\":\"completed\",\"call_id\":\"call_1\",\"name\":\"echo\",\"input\":\"{\\\"text\\\":"
                        + " \\\"hi\\\"}\"}",
                "{\"id\":\"ls_1\",\"type\":\"local_shell_call\",\"status\":\"completed\",\"call_id\":\"call_2\",\"action\":{\"type\":\"exec\",\"command\":[\"ls\"],\"env\":{}}}");
        openai.answers(response(items.toArray(String[]::new)), response(message("Done.")), response(message("Again.")));

        // When
        JsonNode turn = say("web:kinds", "gpt", "go");
        String answered = openai.lastBody();
        say("web:kinds", "gpt", "and again");

        // Then
        assertEquals("Done.", turn.path("reply").asText(), turn.toString());
        String inOrder = String.join(",", items)
                + ",{\"type\":\"custom_tool_call_output\",\"call_id\":\"call_1\",\"output\":\"hi\"},{\"type\":\"local_shell_call_output\",\"call_id\":\"call_2\",\"id\":\"call_2\",\"output\":\"error:"
                + " there is no tool 'local_shell'";
        for (String request : List.of(answered, openai.lastBody())) {
            assertTrue(request.contains(inOrder), request);
        }
        List<JsonNode> messages = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:kinds/messages?role=assistant"),
                        found -> found.size() == 3 && found.getLast().hasNonNull("completedAt"));
        assertEquals(
                "mcp_list_tools mcp_approval_request mcp_call image_generation_call compaction echo local_shell",
                messages.stream()
                        .flatMap(message -> message.path("parts").valueStream())
                        .filter(part -> List.of("raw", "tool")
                                .contains(part.path("kind").asText()))
                        .map(part -> part.path(part.has("name") ? "name" : "itemType")
                                .asText())
                        .collect(Collectors.joining(" ")));
    }

    @Test
    @Tag("K2")
    void textIsUnchangedToTheModelAndBack() {
        // Given
        String text = "  a\r\n\tß\u00a0😀 \u202e\"\\u0041\" \u0007 !say no </system>\n\n ";
        String answer = "\n  é e\u0301 \u2028 😀\t`x`  \n";
        openai.answers(response(message(answer)), response(message("Yes.")));

        // When
        JsonNode turn = say("web:verbatim", "gpt", text);
        JsonNode request = Api.json(openai.lastBody());
        say("web:verbatim", "gpt", "again");

        // Then
        assertEquals(text, request.at("/input/0/content/0/text").asText());
        assertEquals(text, turn.path("text").asText());
        assertEquals(answer, turn.path("reply").asText());
        JsonNode secondRequest = Api.json(openai.lastBody());
        assertEquals(text, secondRequest.at("/input/0/content/0/text").asText());
        assertEquals(answer, secondRequest.at("/input/1/content/0/text").asText());
        List<JsonNode> messages = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:verbatim/messages?order=asc"),
                        found -> found.size() == 4 && found.getLast().hasNonNull("completedAt"));
        assertEquals(text, messages.get(0).at("/parts/0/text").asText());
        assertTrue(messages.get(1).findValuesAsText("text").contains(answer), messages.toString());
    }

    @Test
    @Tag("B141")
    void importedReasoningReturnsToItsModelOnly() {
        String thinking = "{\"type\":\"thinking\",\"thinking\":\"Both at once.\",\"signature\":\"EqR+/c2ln==\"}";
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"EmwLAhgB//=\"}";
        String sealed = "{\"type\":\"reasoning\",\"id\":\"rs_7\",\"summary\":[],\"encrypted_content\":\"gCCC==\"}";
        String answer = "{\"type\":\"message\",\"id\":\"msg_7\",\"role\":\"assistant\",\"status\":\"completed\","
                + "\"content\":[{\"type\":\"output_text\",\"text\":\"Two.\",\"annotations\":[]}]}";
        String call = "{\"id\":\"g7\",\"type\":\"function\",\"function\":{\"name\":\"echo\",\"arguments\":\"{}\"},"
                + "\"extra_content\":{\"google\":{\"thought_signature\":\"c2lo+/\"}}}";

        String messages = importAndContinue("thinker", List.of(thinking, redacted), """
            {"format":"anthropic","model":"claude-opus-4-6","messages":[{"role":"user","content":"1+1?"},
             {"role":"assistant","content":[%s,%s,{"type":"text","text":"Two."}]}]}\
            """.formatted(thinking, redacted));
        importAndContinue("thinker", List.of(thinking), """
            {"format":"rows","messages":[{"kind":"user","text":"1+1?"},
             {"kind":"reasoning","data":{"provider":"anthropic","model":"claude-opus-4-6","item":%s}},
             {"kind":"assistant","text":"Two."}]}\
            """.formatted(thinking));
        importAndContinue("gpt", List.of(sealed, answer), """
            {"format":"openai-responses","model":"gpt-5","messages":[{"role":"user","content":"1+1?"},%s,%s]}\
            """.formatted(sealed, answer));
        importAndContinue("bard", List.of("\"thought_signature\":\"c2lo+/\""), """
            {"format":"openai","provider":"gemini","model":"gemini-3-pro","messages":[
             {"role":"user","content":"1+1?"},{"role":"assistant","content":"Two.","tool_calls":[%s]},
             {"role":"tool","tool_call_id":"g7","content":"2"}]}\
            """.formatted(call));

        for (String shown : List.of("Both at once.", "\"itemType\":\"redacted_thinking\"", "Two.")) {
            assertTrue(messages.contains(shown), messages);
        }
    }

    /**
     * Imports a conversation; requests to this agent's provider have these items, those to others do not. Returns the
     * messages.
     */
    private static String importAndContinue(String agent, List<String> items, String conversation) {
        // When
        String session = api.create("/v1/sessions/import", Api.json(conversation))
                .json()
                .path("key")
                .asText();
        var requests = new TreeMap<String, String>();
        for (String next : List.of("gpt", "thinker", "bard")) {
            switch (next) {
                case "gpt" -> openai.answers(response(message("Mine.")));
                case "bard" -> gemini.answers(chat("Mine."));
                default -> anthropic.answers(claude("end_turn", words("Mine.")));
            }
            say(session, next, "go on", Map.of());
            requests.put(
                    next,
                    switch (next) {
                        case "gpt" -> openai.lastBody();
                        case "bard" -> gemini.lastBody();
                        default -> anthropic.lastBody();
                    });
        }

        // Then
        requests.forEach((to, request) -> {
            assertTrue(request.contains("Two."), request);
            for (String item : items) {
                assertEquals(to.equals(agent), request.contains(item), to + " " + item + " in " + request);
            }
        });
        return Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/" + session + "/messages").toString(),
                        messages -> messages.contains("Two."));
    }

    @Test
    @Tag("K5")
    @Tag("K6")
    void returnsSignedReasoningToItsModelOnly() {
        // Given
        String thinking = "{\"type\":\"thinking\",\"thinking\":\"Both at once.\",\"signature\":\"EqQ+/c2ln==\"}";
        String redacted = "{\"type\":\"redacted_thinking\",\"data\":\"EmwKAhgB+\\/\\/=\"}";
        String toolUse = "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"echo\",\"input\":{\"text\": \"hi\"}}";
        anthropic.answers(
                claude(
                        "tool_use",
                        block(
                                "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}",
                                "{\"type\":\"thinking_delta\",\"thinking\":\"Both \"}",
                                "{\"type\":\"thinking_delta\",\"thinking\":\"at once.\"}",
                                "{\"type\":\"signature_delta\",\"signature\":\"EqQ+/c2ln==\"}"),
                        block(redacted),
                        block(
                                "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"echo\",\"input\":{}}",
                                "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"text\\\": \\\"hi\\\"}\"}")),
                claude("end_turn", words("It says hi.")),
                claude("end_turn", words("Small.")),
                claude("end_turn", words("Large.")));
        openai.answers(response(message("Mine.")));

        // When
        say("web:sealed", "thinker", "use the tool");
        String next = anthropic.lastBody();
        say("web:sealed", "gpt", "and you?");
        String elsewhere = openai.lastBody();
        say("web:sealed", "thinker", "and the small one?", Map.of("model", "anthropic/claude-haiku-4-5"));
        String small = anthropic.lastBody();
        say("web:sealed", "thinker", "and again?");

        // Then
        String assistantMessage =
                "{\"role\":\"assistant\",\"content\":[" + String.join(",", thinking, redacted, toolUse) + "]}";
        for (String request : List.of(next, anthropic.lastBody())) {
            assertTrue(request.contains(assistantMessage), request);
        }
        for (String request : List.of(elsewhere, small)) {
            assertTrue(request.contains("It says hi."), request);
            for (String sealed : List.of("Both at once", "EqQ+", "EmwKAhgB", "redacted_thinking")) {
                assertFalse(request.contains(sealed), request);
            }
        }
    }

    @Test
    @Tag("K6")
    void returnsACallSignatureToItsModelOnly() {
        // Given
        String call =
                "\"id\":\"g1\",\"type\":\"function\",\"function\":{\"name\":\"echo\",\"arguments\":\"{\\\"text\\\":"
                        + " \\\"hi\\\"}\"},\"extra_content\":{\"google\": {\"thought_signature\":\"c2ln\\/+\",\"n\":1.0}}";
        gemini.answers(
                HttpDouble.events(
                        "{\"model\":\"gemini-3-pro\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,"
                                + call + "}]}}]}",
                        "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
                        "[DONE]"),
                chat("It says hi."),
                chat("Still."));
        openai.answers(response(message("Mine.")));

        // When
        say("web:signed", "bard", "use the tool", Map.of());
        String next = gemini.lastBody();
        say("web:signed", "gpt", "and you?");
        say("web:signed", "bard", "and again?", Map.of());

        // Then
        for (String request : List.of(next, gemini.lastBody())) {
            assertTrue(request.contains("\"tool_calls\":[{" + call + "}]"), request);
        }
        assertTrue(openai.lastBody().contains("\"call_id\":\"g1\""), openai.lastBody());
        assertFalse(openai.lastBody().contains("c2ln"), openai.lastBody());
    }

    private static HttpDouble.Reply chat(String text) {
        return HttpDouble.events(
                "{\"model\":\"gemini-3-pro\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\""
                        + text + "\"},\"finish_reason\":\"stop\"}]}",
                "[DONE]");
    }

    @ParameterizedTest
    @Tag("K24")
    @CsvSource(
            nullValues = "-",
            value = {"none,-,-,0", "low,low,low,1024", "medium,medium,medium,4096", "high,high,high,16000"})
    void mapsTheThinkingLevelForEachModel(String level, String effort, String adaptive, int budget) {
        // Given
        openai.answers(response(message("Yes.")));
        gemini.answers(chat("Yes."));
        anthropic.answers(
                claude("end_turn", words("Yes.")),
                claude("end_turn", words("Yes.")),
                claude("end_turn", words("Yes.")));
        String session = "web:thinks-" + level;
        Map<String, Object> thinking = Map.of("thinking", level);
        Map<String, Object> small = Map.of("thinking", level, "model", "anthropic/claude-haiku-4-5");
        Map<String, Object> brief =
                Map.of("thinking", level, "model", "anthropic/claude-haiku-4-5", "maxTokens", 2_000);

        // When
        say(session, "gpt", "think", thinking);
        say(session, "bard", "think", thinking);
        say(session, "thinker", "think", thinking);
        JsonNode asNeeded = Api.json(anthropic.lastBody());
        say(session, "thinker", "think", small);
        JsonNode budgeted = Api.json(anthropic.lastBody());
        say(session, "thinker", "think", brief);
        JsonNode bounded = Api.json(anthropic.lastBody());

        // Then
        assertEquals(effort, Api.json(openai.lastBody()).at("/reasoning/effort").asText(null));
        assertEquals(
                effort, Api.json(gemini.lastBody()).path("reasoning_effort").asText(null));
        assertEquals(adaptive, asNeeded.at("/output_config/effort").asText(null));
        assertEquals(
                adaptive == null ? null : "adaptive",
                asNeeded.at("/thinking/type").asText(null));
        assertEquals(budget, budgeted.at("/thinking/budget_tokens").asInt());
        assertEquals(16_000 + budget, budgeted.path("max_tokens").asInt(), "as much room for the answer as without");
        assertEquals(
                Math.min(budget, 1_500), bounded.at("/thinking/budget_tokens").asInt());
        assertEquals(2_000, bounded.path("max_tokens").asInt());
    }

    @Test
    @Tag("B1")
    @Tag("I65")
    void budgetAndPriceApplyFromTheNextModelCall() {
        // Given a budget with a tenth of a cent left
        Awaitility.await().untilAsserted(() -> assertEquals(countedCost(), spentByAll(), 1e-9));
        double spent = spent();
        setBudget(spent + 0.001);
        try {
            // When the price of a call is unknown
            JsonNode unpriced = cheap();

            // Then
            assertEquals("budget", unpriced.path("error").path("type").asText(), unpriced.toString());
            assertTrue(
                    unpriced.path("reply").asText().contains("the price of this model is not known"),
                    unpriced.toString());

            // When the price is set
            var price = Map.of("input", 1, "output", 10);
            assertEquals(
                    200,
                    api.send("PUT", "/v1/prices/openai/gpt-5-mini", price, Map.of())
                            .status());
            openai.answers(response(message("Hi.")));
            JsonNode answered = cheap();

            // Then the call is answered and exceeds the budget by less than its own cost
            assertEquals("COMPLETED", answered.path("state").asText(), answered.toString());
            assertEquals("0.002", answered.path("usage").path("cost").asText());
            JsonNode refused = cheap();
            assertEquals("FAILED", refused.path("state").asText(), refused.toString());
            assertTrue(
                    refused.path("reply").asText().startsWith("Sorry, the budget of this project is used up. (ref "),
                    refused.toString());
            Awaitility.await().untilAsserted(() -> {
                JsonNode usage = usage();
                assertEquals(spent + 0.002, usage.at("/budget/spent/amount").asDouble(), 1e-9);
                assertEquals(0, usage.at("/reserved/amount").asDouble());
            });

            // When the budget is raised
            setBudget(spent + 1);
            openai.answers(response(message("Again.")));

            // Then
            assertEquals("Again.", cheap().path("reply").asText());
        } finally {
            assertEquals(204, api.delete(BUDGET).status());
        }
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        Double.parseDouble(strings("select coalesce(sum(cost), 0) from sessions.model_call_t")
                                .getFirst()),
                        countedCost(),
                        1e-9,
                        "what the metric says is the sum of what the calls say"));
        assertTrue(api.get("/prometheus").text().contains("parley_budget_refusals_total{scope=\"project\"} 2.0"));
    }

    @Test
    @Tag("I65")
    void priceChangesKeepPastCostsInViewsReplaysAndExports() throws IOException {
        // Given a session with a call of unknown price and one of a known price
        String project = api.project("Priced");
        String oldSession = "/v1/projects/" + project + "/sessions/web:old";
        assertTrue(cost(pricedTurn(oldSession)).isNull(), "nobody knows the price");
        setPrice(1);
        assertEquals("0.00164", cost(pricedTurn(oldSession)).asText());
        List<JsonNode> turns = Awaitility.await()
                .until(
                        () -> api.list(oldSession + "/turns?order=asc"),
                        list -> list.size() == 2 && list.getLast().hasNonNull("completedAt"));
        List<JsonNode> messages = messages(oldSession);
        assertEquals(4, messages.size(), messages.toString());
        JsonNode session = api.get(oldSession).json();
        assertEquals("0.00164", cost(session).asText());
        assertEquals(1, session.path("unpriced").asInt());
        assertTrue(messages.toString().contains("\"cost\":null"), "unknown is not zero: " + messages);
        Map<String, TurnEvent> exported = exported(project);

        // When the price rises tenfold and is then deleted
        setPrice(10);
        String laterSession = "/v1/projects/" + project + "/sessions/web:later";
        assertEquals("0.0164", cost(pricedTurn(laterSession)).asText());
        assertEquals("0.0164", cost(pricedTurn(oldSession)).asText());
        assertEquals(204, api.delete(PRICE).status());
        assertTrue(cost(pricedTurn(laterSession)).isNull());

        // Then past costs are unchanged, also in rebuilt views
        Awaitility.await().untilAsserted(() -> {
            assertSum(oldSession, "0.01804", 1);
            assertSum(laterSession, "0.0164", 1);
        });
        assertUnchanged(oldSession, messages, turns);
        int replayed = Parley.commandLine(Instances.environment(folder.resolve("data")), Program.installed())
                .execute("replay");
        assertEquals(0, replayed);
        Awaitility.await().untilAsserted(() -> {
            assertUnchanged(oldSession, messages, turns);
            assertSum(oldSession, "0.01804", 1);
            assertSum(laterSession, "0.0164", 1);
        });
        Map<String, TurnEvent> exportedLater = exported(project);
        assertTrue(exportedLater.size() > exported.size());
        exported.forEach((seq, event) -> assertEquals(event, exportedLater.get(seq)));
    }

    private static JsonNode pricedTurn(String session) {
        openai.answers(response(message("Yes.")));
        JsonNode turn =
                api.turn(session, Map.of("text", "hello", "agent", "priced")).json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        return turn;
    }

    private static JsonNode cost(JsonNode turnOrSession) {
        return turnOrSession.path("usage").path("cost");
    }

    private static void setPrice(int input) {
        var price = Map.of("input", input, "cacheRead", input / 10.0, "output", 10 * input);
        String before = api.get(PRICE).etag();
        var response = api.send("PUT", PRICE, price, before == null ? Map.of() : Map.of("If-Match", before));
        assertEquals(200, response.status(), response.text());
    }

    /** The messages of a session, the oldest first. */
    private static List<JsonNode> messages(String session) {
        return api.list(session + "/messages?order=asc");
    }

    private static void assertUnchanged(String session, List<JsonNode> messages, List<JsonNode> turns) {
        assertEquals(messages, messages(session).stream().limit(messages.size()).toList());
        assertEquals(
                turns,
                api.list(session + "/turns?order=asc").stream()
                        .limit(turns.size())
                        .toList());
    }

    private static void assertSum(String session, String cost, int unpriced) {
        JsonNode found = api.get(session).json();
        assertEquals(cost, cost(found).asText(), found.toString());
        assertEquals(unpriced, found.path("unpriced").asInt(), found.toString());
    }

    private static Map<String, TurnEvent> exported(String project) throws IOException {
        Path archive = folder.resolve(UUID.randomUUID() + ".zip");
        int status = Parley.commandLine(
                        Map.of("PARLEY_CONFIG", folder.resolve("parley.yml").toString()), Program.installed())
                .execute(
                        "export",
                        project,
                        "-o",
                        archive.toString(),
                        "--data",
                        folder.resolve("data").toString());
        assertEquals(0, status);
        return ArchiveIT.events(archive);
    }

    private static JsonNode cheap() {
        var body = Map.of("text", "hello", "agent", "gpt", "settings", Map.of("model", "openai/gpt-5-mini"));
        return api.turn("web:budget", body).json();
    }

    private static double spent() {
        return spent(usage());
    }

    private static double spentByAll() {
        return api.list("/v1/projects").stream()
                .mapToDouble(project -> spent(usage(project.path("key").asText())))
                .sum();
    }

    private static double spent(JsonNode usage) {
        return usage.path("total").path("amount").asDouble();
    }

    private static JsonNode usage() {
        return usage("default");
    }

    private static JsonNode usage(String project) {
        return api.get("/v1/projects/" + project + "/usage").json();
    }

    private static void setBudget(double dollars) {
        var set = api.send("PUT", BUDGET, "{\"amount\":%.9f,\"period\":\"total\"}".formatted(dollars), Map.of());
        assertEquals(200, set.status(), set.text());
    }

    private static double countedCost() {
        return api.get("/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("parley_cost_usd_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static List<String> strings(String sql) {
        Database database = instance.beans().getBean(Database.class);
        try (Connection connection = database.reading(Tenant.ALL);
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(String.valueOf(rows.getString(1)));
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
