package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.HttpDouble.Reply;
import dev.parley.platform.testkit.HttpDouble.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What models are told, as the provider has it before it: in the same process, and by another one after the first one's store was
 * lost and made anew of its changelog.
 */
class ToldIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String REASONING =
            "{\"type\":\"reasoning\",  \"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAAA==\"}";
    private static final String SEARCH =
            "{\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\",\"action\":"
                    + "{\"type\":\"search\",\"query\":\"moon\", \"sources\":[{\"type\":\"url\",\"url\":\"https://example.com\"}]}}";
    private static final String FILES = "{\"type\":\"file_search_call\",\"id\":\"fs_1\",\"status\":\"completed\","
            + "\"queries\":[ \"moon\" ],\"results\":[{\"file_id\":\"f_1\",\"score\":0.50,\"text\":\"cheese\"}]}";
    private static final String CODE = "{\"type\":\"code_interpreter_call\",\"id\":\"ci_1\",\"status\":\"completed\","
            + "\"container_id\":\"c_1\",\"code\":\"1 +  1\",\"outputs\":[{\"type\":\"logs\",\"logs\":\"2\"}]}";
    private static final String UNKNOWN = "{\"type\":\"hologram_call\",\"id\":\"h_1\",\"depth\": 9007199254740993}";
    private static final String SPOKEN =
            "{\"type\":\"message\",\"id\":\"msg_9\",\"status\":\"completed\",\"role\":\"assistant\","
                    + "\"phase\":\"commentary\",\"content\":[{\"type\":\"output_text\",\"text\":\"look\",\"annotations\":"
                    + "[{\"type\":\"url_citation\",\"url\":\"https://example.com\",\"title\":\"x\",\"start_index\":0,\"end_index\":4}]},"
                    + "{\"type\":\"refusal\",\"refusal\":\"not that\"}]}";
    private static final String CALL = call("call_1", "echo", "{\\\"text\\\" :   \\\"hi\\\"}");
    private static final String CARD = "1234 5678 1234 5678";

    @TempDir
    static Path folder;

    private static HttpDouble openai;
    private static Servers servers;
    private static Instance instance;
    private static Api api;

    private static List<String> items;
    private static List<String> itemsLater;
    private static List<String> isolated;
    private static List<String> forked;
    private static List<String> replaced;
    private static List<String> summarised;
    private static List<String> summarisedLater;
    private static List<String> delegated;
    private static List<String> delegatedLater;
    private static List<String> nobody;
    private static List<String> wrong;
    private static List<String> blocked;
    private static List<String> rewritten;
    private static List<String> carefulLater;

    @BeforeAll
    static void talkLoseTheStoreAndGoOn() throws IOException {
        openai = new HttpDouble();
        Files.writeString(folder.resolve("parley.yml"), """
                providers:
                  openai: { baseUrl: "%s", apiKey: "file:%s" }
                agents:
                  - { name: teller, model: openai/gpt-5, tools: [echo] }
                  - { name: boss, model: openai/gpt-5, tools: [delegate] }
                  - { name: helper, description: knows colours, mode: subagent, model: openai/gpt-5-mini, tools: [echo, message] }
                  - { name: short, model: openai/gpt-5, tools: [echo], limits: { compactAt: 2, keep: 1 } }
                  - name: careful
                    model: openai/gpt-5
                    tools: [echo]
                    guardrails:
                      - { name: fruit, on: input, pattern: forbidden fruit, action: block, message: Not that. }
                      - { name: cards, pattern: '\\d{4}( \\d{4}){3}', action: rewrite, replacement: '[card]' }
                  - name: judged
                    model: openai/gpt-5
                    guardrails: [{ name: judge, on: input, tool: no_such_tool }]
                  - name: lenient
                    model: openai/gpt-5
                    guardrails: [{ name: judge, on: input, tool: no_such_tool, onError: allow }]
                """.formatted(
                        openai.url(), Files.writeString(folder.resolve("key"), "sk-of-this-test\n")));
        servers = new Servers(folder);
        start();

        items = told(
                "web:items",
                "teller",
                "go",
                answer(REASONING, SEARCH, FILES, CODE, UNKNOWN, SPOKEN, CALL),
                says("fine"));
        told("web:ann", "teller", "my name is Ann", says("hello"));
        told("web:bob", "teller", "my name is Bob", says("hello"));
        told("web:short", "short", "the first words", says("one"));
        summarised = told("web:short", "short", "the second words", 2, says("two"), says("SUMMARY ONE"));
        delegated = told(
                "web:boss",
                "boss",
                "my safe has 4711; ask for a colour",
                answer(call("d_1", "delegate", "{\\\"agent\\\":\\\"helper\\\",\\\"task\\\":\\\"name a colour\\\"}")),
                answer(call("m_1", "message", "{\\\"text\\\":\\\"working on it\\\"}")),
                says("blue it is"),
                says("blue"));
        nobody = told(
                "web:boss",
                "boss",
                "ask nobody",
                answer(call("d_2", "delegate", "{\\\"agent\\\":\\\"nobody\\\",\\\"task\\\":\\\"x\\\"}")),
                says("there is none"));
        wrong = told(
                "web:wrong", "teller", "call it wrongly", answer(call("w_1", "echo", "{\\\"no\\\":1}")), says("oh"));
        blocked = told("web:careful", "careful", "the forbidden fruit");
        rewritten = told(
                "web:careful",
                "careful",
                "my card is " + CARD,
                answer(call("c_1", "echo", "{\\\"text\\\":\\\"" + CARD + "\\\"}")),
                says("noted " + CARD));

        instance.close();
        servers.forgetStores("one");
        start();

        itemsLater = told("web:items", "teller", "and now?", says("later"));
        isolated = told("web:ann", "teller", "who am I?", says("Ann"));
        summarisedLater = told("web:short", "short", "the third words", 2, says("three"), says("SUMMARY TWO"));
        delegatedLater = told(
                "web:boss",
                "boss",
                "another one",
                answer(call("d_3", "delegate", "{\\\"agent\\\":\\\"helper\\\",\\\"task\\\":\\\"name another\\\"}")),
                says("red it is"),
                says("red"));
        carefulLater = told("web:careful", "careful", "go on", says("on"));
        fork("web:items", "web:fork");
        forked = told("web:fork", "teller", "and in the fork?", says("as well"));
        fork("web:ann", "web:bob");
        replaced = told("web:bob", "teller", "who am I?", says("Ann"));
    }

    private static void start() {
        instance = Instance.start(ConfigReader.read(servers.environment("one", 2)));
        api = new Api(instance.url(), Servers.KEY);
    }

    private static void fork(String from, String to) {
        Api.Answer forking = api.post("/v1/sessions/" + from + "/fork?wait=20s", Map.of("target", to));
        assertTrue(forking.status() < 300, forking.text());
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
        openai.close();
    }

    /** Says something, and what the provider was told for it, request after request. */
    private static List<String> told(String session, String agent, String text, Reply... replies) {
        return told(session, agent, text, replies.length, replies);
    }

    private static List<String> told(String session, String agent, String text, int requests, Reply... replies) {
        int before = openai.seen().size();
        openai.answers(replies);
        JsonNode turn = api.post("/v1/sessions/" + session + "/turns?wait=60s", Map.of("text", text, "agent", agent))
                .json();
        assertEquals("COMPLETED", turn.path("state").asText(), turn.toString());
        Awaitility.await().until(() -> openai.seen().size() >= before + requests);
        return openai.seen().stream().skip(before).map(Seen::body).toList();
    }

    private static Reply says(String text) {
        return answer(
                "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"" + text + "\",\"annotations\":[]}]}");
    }

    private static String call(String id, String tool, String arguments) {
        return "{\"type\":\"function_call\",\"id\":\"fc_%1$s\",\"call_id\":\"%1$s\",\"name\":\"%2$s\",\"arguments\":\"%3$s\",\"status\":\"completed\"}"
                .formatted(id, tool, arguments);
    }

    private static Reply answer(String... items) {
        return HttpDouble.stream(stream -> {
            for (int i = 0; i < items.length; i++) {
                stream.event("{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}"
                        .formatted(i, items[i]));
            }
            stream.event("{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":\"completed\","
                    + "\"model\":\"gpt-5\",\"output\":[" + String.join(",", items)
                    + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}");
        });
    }

    private static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new AssertionError(body, e);
        }
    }

    private static List<String> tools(String body) {
        return StreamSupport.stream(json(body).path("tools").spliterator(), false)
                .map(tool -> tool.path("name").asText())
                .sorted()
                .toList();
    }

    private static void assertContains(String part, String body) {
        assertTrue(body.contains(part), () -> part + "\nis not in\n" + body);
    }

    // ---- the provider's own items

    @Test
    @Tag("P17")
    @Tag("P18")
    @Tag("P19")
    void whatTheModelSaidCalledAndThoughtComesBackByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(SPOKEN, body);
            assertContains(CALL, body);
            assertContains("\"call_id\":\"call_1\",\"output\":\"hi\"", body);
            assertContains(REASONING, body);
            assertTrue(body.indexOf(REASONING) < body.indexOf(CALL));
        }
    }

    @Test
    @Tag("P20")
    @Tag("P21")
    void whatTheProviderSearchedComesBackByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(FILES, body);
            assertContains(SEARCH, body);
        }
    }

    @Test
    @Tag("P23")
    @Tag("P24")
    void codeAndItemsThatNobodyKnowsComeBackByteForByte() {
        for (String body : List.of(items.get(1), itemsLater.getFirst())) {
            assertContains(CODE, body);
            assertContains(UNKNOWN, body);
        }
    }

    // ---- sessions

    @Test
    @Tag("P1")
    @Tag("P15")
    void aSessionIsToldItsOwnHistoryAndNoOther() {
        String body = isolated.getFirst();

        assertContains("my name is Ann", body);
        assertFalse(body.contains("Bob"), body);
    }

    @Test
    @Tag("K16")
    void aForkIsToldAllOfItWithTheProvidersItems() {
        String body = forked.getFirst();

        for (String item : List.of(REASONING, SEARCH, FILES, CODE, UNKNOWN, SPOKEN, CALL)) {
            assertContains(item, body);
        }
        assertContains("and in the fork?", body);
    }

    @Test
    @Tag("K17")
    void aForkIntoAnotherSessionTakesThePlaceOfItsContext() {
        String body = replaced.getFirst();

        assertContains("my name is Ann", body);
        assertFalse(body.contains("my name is Bob"), body);
    }

    @Test
    @Tag("P5")
    @Tag("P6")
    void oldTurnsAreToldAsASummaryAndSummariesBuildOnEachOther() {
        assertContains("the first words", summarised.get(0));
        assertContains("the first words", summarised.get(1));

        String next = summarisedLater.get(0);
        assertContains("SUMMARY ONE", next);
        assertContains("the second words", next);
        assertFalse(next.contains("the first words"), next);

        String again = summarisedLater.get(1);
        assertContains("SUMMARY ONE", again);
        assertFalse(again.contains("the first words"), again);
    }

    // ---- tools and delegates

    @Test
    @Tag("P34")
    @Tag("P38")
    void anAgentIsShownItsToolsAndToldOfTheirErrors() {
        assertEquals(List.of("echo"), tools(wrong.getFirst()));
        String output = json(wrong.get(1)).path("input").path(2).path("output").asText();
        assertTrue(output.startsWith("error:"), output);
    }

    @Test
    @Tag("P29")
    @Tag("P30")
    void aDelegateIsToldItsTaskAndNotWhatItsParentKnows() {
        String child = delegated.get(1);
        assertEquals("gpt-5-mini", json(child).path("model").asText());
        assertContains("name a colour", child);
        assertFalse(child.contains("4711"), child);
        assertContains("\"call_id\":\"m_1\",\"output\":\"working on it\"", delegated.get(2));

        String parent = delegated.get(3);
        assertContains("blue it is", parent);
        assertFalse(parent.contains("working on it"), parent);
        assertFalse(
                api.get("/v1/sessions/web:boss/messages").text().contains("working on it"),
                "nor was it said to anybody");

        String later = delegatedLater.get(1);
        assertContains("name a colour", later);
        assertContains("blue it is", later);
        assertContains("name another", later);
        assertFalse(later.contains("4711"), later);
    }

    @Test
    @Tag("P35")
    @Tag("P36")
    void delegateIsOfferedWithTheNamesOfThoseThatThereAre() {
        JsonNode delegate = json(delegated.getFirst()).path("tools").path(0);
        assertEquals("delegate", delegate.path("name").asText());
        assertContains("helper: knows colours", delegate.path("description").asText());
        assertContains("there is no agent 'nobody' to delegate to", nobody.get(1));
        assertContains("helper", nobody.get(1));
    }

    // ---- guardrails

    @Test
    @Tag("G1")
    void whatIsBlockedReachesNoModelEver() {
        assertEquals(List.of(), blocked);
        for (Seen request : openai.seen()) {
            assertFalse(request.body().contains("forbidden fruit"), request.body());
        }
        assertContains("withheld", carefulLater.getFirst());
    }

    @Test
    @Tag("G2")
    @Tag("G5")
    void whatIsRewrittenReachesModelsInNoOtherForm() {
        assertContains("my card is [card]", rewritten.getFirst());
        assertContains("\"call_id\":\"c_1\"", rewritten.get(1));
        assertContains("[card]", rewritten.get(1));
        assertContains("noted [card]", carefulLater.getFirst());
        for (Seen request : openai.seen()) {
            assertFalse(request.body().contains(CARD), request.body());
        }
    }

    @Test
    @Tag("G8")
    void aGuardrailThatCannotDecideBlocksUnlessItIsToLetPass() {
        assertEquals(List.of(), told("web:judged", "judged", "may I?"));
        assertContains(
                "may I?", told("web:lenient", "lenient", "may I?", says("yes")).getFirst());
    }

    // ---- ends

    @Test
    @Tag("I64")
    void anAnswerThatWasCutSaysSoAndEachEndHasOneName() {
        assertEquals(
                "half of it\n(cut)", ended("max_output_tokens").path("reply").asText());
        assertEquals(
                "content_filter",
                ended("content_filter").path("error").path("type").asText());
        List<String> reasons = Awaitility.await()
                .until(
                        () -> api.list("/v1/sessions/web:ends/messages?role=assistant").stream()
                                .map(message -> message.path("finishReason").asText())
                                .toList(),
                        found -> found.size() == 2);
        assertEquals(List.of("length", "content-filter"), reasons);
    }

    /** A turn whose only answer ends before its time. */
    private static JsonNode ended(String why) {
        String item =
                "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"incomplete\",\"role\":\"assistant\",\"content\":"
                        + "[{\"type\":\"output_text\",\"text\":\"half of it\",\"annotations\":[]}]}";
        openai.answers(HttpDouble.stream(stream -> {
            stream.event("{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":" + item + "}");
            stream.event("{\"type\":\"response.incomplete\",\"response\":{\"id\":\"resp_1\",\"status\":\"incomplete\","
                    + "\"incomplete_details\":{\"reason\":\"" + why + "\"},\"model\":\"gpt-5\",\"output\":[" + item
                    + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}");
        }));
        return api.post("/v1/sessions/web:ends/turns?wait=60s", Map.of("text", why, "agent", "teller"))
                .json();
    }

    // ---- keys

    @Test
    @Tag("A3")
    void aKeyIsReadWhereItsReferenceLeadsAtTheMomentOfTheCall() throws IOException {
        Path key = folder.resolve("key");
        Files.writeString(key, "sk-rotated\n");
        told("web:key", "teller", "with a new key", says("fine"));
        assertEquals("Bearer sk-rotated", openai.seen().getLast().header("Authorization"));

        int before = openai.seen().size();
        Files.delete(key);
        JsonNode turn = api.post(
                        "/v1/sessions/web:key/turns?wait=60s", Map.of("text", "without one", "agent", "teller"))
                .json();
        Files.writeString(key, "sk-again\n");

        assertEquals("FAILED", turn.path("state").asText(), turn.toString());
        assertEquals("auth", turn.path("error").path("type").asText(), turn.toString());
        assertEquals(before, openai.seen().size(), "nobody was asked without a key");
        told("web:key", "teller", "and back", says("fine"));
        assertEquals("Bearer sk-again", openai.seen().getLast().header("Authorization"));
    }
}
