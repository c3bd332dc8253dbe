package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionNamedToolChoice;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolChoiceOption;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.models.Model;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.ToolChoiceFunction;
import dev.parley.server.Api.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenAI's official client against a complete server process. */
class OpenAiIT {
    private static final String PASSWORD = "correct horse";

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;
    private static OpenAIClient client;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), """
            agents:
              - { name: default, description: Answers }
              - { name: helper, mode: subagent }
            permissions:
              - { tool: echo, action: ask }
            http:
              corsOrigins: [ "https://app.example.com" ]
            """);
        servers = new Servers(folder);
        instance = servers.start("one");
        api = Api.of(instance);
        client = client(instance.url() + "/v1", Servers.KEY);
    }

    private static OpenAIClient client(String url, String key) {
        return OpenAIOkHttpClient.builder().baseUrl(url).apiKey(key).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        instance.close();
        servers.close();
    }

    private static ChatCompletionCreateParams.Builder chat(String text) {
        return ChatCompletionCreateParams.builder().model("default").addUserMessage(text);
    }

    private static ResponseCreateParams.Builder ask(String text) {
        return ResponseCreateParams.builder().model("default").input(text);
    }

    private static String text(ChatCompletion completion) {
        return completion.choices().getFirst().message().content().orElseThrow();
    }

    private static String text(Response response) {
        return response.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(part -> part.outputText().stream())
                .map(text -> text.text())
                .collect(Collectors.joining("|"));
    }

    private static ResponseStatus status(Response response) {
        return response.status().orElseThrow();
    }

    private static List<ChatCompletionChunk> chunks(ChatCompletionCreateParams.Builder request) {
        try (var stream = client.chat().completions().createStreaming(request.build())) {
            return stream.stream().toList();
        }
    }

    private static List<ResponseStreamEvent> events(ResponseCreateParams.Builder request) {
        try (var stream = client.responses().createStreaming(request.build())) {
            return stream.stream().toList();
        }
    }

    private static int sessions(String project) {
        return api.list("/v1/projects/" + project + "/sessions").size();
    }

    @Test
    @Tag("D1")
    void agentsAreModels() {
        // Then
        assertEquals(
                List.of("default"),
                client.models().list().items().stream()
                        .map(Model::id)
                        .filter(id -> List.of("default", "helper").contains(id))
                        .toList());
        Model model = client.models().retrieve("default");
        assertEquals("default", model.id());
        assertTrue(Instant.ofEpochSecond(model.created()).isAfter(Instant.now().minus(Duration.ofHours(1))));
        var unknown =
                assertThrows(NotFoundException.class, () -> client.models().retrieve("helper"));
        assertEquals("model_not_found", unknown.code().orElseThrow());
        assertThrows(
                NotFoundException.class,
                () -> client.chat()
                        .completions()
                        .create(chat("x").model("gpt-5").build()));
    }

    @Test
    @Tag("D2")
    @Tag("D3")
    void continuesATranscriptAndReportsUsage() {
        // When
        ChatCompletion completion = client.chat()
                .completions()
                .create(ChatCompletionCreateParams.builder()
                        .model("default")
                        .addSystemMessage("Be brief.")
                        .addUserMessage("my name is Ann")
                        .addAssistantMessage("Hello Ann.")
                        .addUserMessage("what is my name?")
                        .putAdditionalBodyProperty("a_field_of_tomorrow", JsonValue.from(Map.of("x", 1)))
                        .build());
        ChatCompletion used = client.chat()
                .completions()
                .create(chat("!usage in=1000 out=50 reasoning=20 cacheRead=800\n!say x")
                        .build());

        // Then
        assertEquals("Your name is Ann.", text(completion));
        assertEquals(
                ChatCompletion.Choice.FinishReason.STOP,
                completion.choices().getFirst().finishReason());
        var usage = used.usage().orElseThrow();
        assertEquals(1_050, usage.totalTokens());
        assertEquals(
                800, usage.promptTokensDetails().orElseThrow().cachedTokens().orElseThrow());
    }

    @Test
    @Tag("D2")
    void namedSessionTakesOnlyTheNewMessage() {
        // When
        client.chat()
                .completions()
                .create(chat("my name is Bob")
                        .putAdditionalHeader("Parley-Session", "app:bob")
                        .build());
        ChatCompletion second = client.chat()
                .completions()
                .create(ChatCompletionCreateParams.builder()
                        .model("default")
                        .addUserMessage("my name is Nobody")
                        .addAssistantMessage("Hello.")
                        .addUserMessage("what is my name?")
                        .putAdditionalHeader("Parley-Session", "app:bob")
                        .build());

        // Then
        assertEquals("Your name is Bob.", text(second));
        Awaitility.await().until(() -> api.list("/v1/sessions/app:bob/turns").size() == 2);
    }

    @Test
    @Tag("D3")
    void streamHasOneFinishReasonAndUsageOnRequest() {
        // When
        List<ChatCompletionChunk> plain = chunks(chat("!stream 30 words over 600ms"));
        List<ChatCompletionChunk> withUsage = chunks(chat("!say one two")
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build()));

        // Then
        assertTrue(plain.size() > 4, plain.toString());
        assertTrue(plain.stream().allMatch(chunk -> chunk.choices().size() == 1));
        assertTrue(plain.stream().allMatch(chunk -> chunk.usage().isEmpty()));
        assertEquals(
                1,
                plain.stream()
                        .filter(chunk ->
                                chunk.choices().getFirst().finishReason().isPresent())
                        .count());
        assertTrue(plain.getLast().choices().getFirst().finishReason().isPresent());
        assertEquals(1, plain.stream().map(ChatCompletionChunk::id).distinct().count());
        assertEquals(List.of(), withUsage.getLast().choices());
        assertTrue(withUsage.getLast().usage().orElseThrow().totalTokens() > 0);
        assertTrue(withUsage.subList(0, withUsage.size() - 1).stream()
                .allMatch(chunk -> chunk.usage().isEmpty()));
    }

    @Test
    @Tag("D4")
    void responseStreamEndsWithTheCompleteResponse() {
        // When
        List<ResponseStreamEvent> events = events(ask("!say one\n!call time {}\n!then\n!say two three"));

        // Then
        var response = events.getLast().completed().orElseThrow().response();
        assertEquals(ResponseStatus.COMPLETED, status(response));
        assertEquals("one|two three", text(response));
        assertEquals(
                "onetwo three",
                events.stream()
                        .flatMap(event -> event.outputTextDelta().stream())
                        .map(delta -> delta.delta())
                        .collect(Collectors.joining()));
        assertTrue(events.getFirst().isCreated());
        assertEquals(
                2,
                events.stream().filter(ResponseStreamEvent::isOutputItemAdded).count());
        assertEquals(
                2,
                events.stream().filter(ResponseStreamEvent::isContentPartDone).count());
        Response retrieved = client.responses().retrieve(response.id());
        assertEquals(ResponseStatus.COMPLETED, status(retrieved));
        assertEquals("one|two three", text(retrieved));
        assertEquals(
                response.usage().orElseThrow().totalTokens(),
                retrieved.usage().orElseThrow().totalTokens());
    }

    /** A response and the key of its session. */
    private record Sent(Response response, String session) {
        String id() {
            return response.id();
        }
    }

    private static Sent send(ResponseCreateParams.Builder request) {
        try (var raw = client.responses().withRawResponse().create(request.build())) {
            return new Sent(raw.parse(), raw.headers().values("Parley-Session").getFirst());
        }
    }

    @Test
    @Tag("D5")
    void previousResponseContinuesOrForksItsSession() {
        // Given
        Sent first = send(ask("my name is Ann"));

        // When
        Sent second = send(ask("my town is Oslo").previousResponseId(first.id()));
        Sent other = send(ask("what is my town?").previousResponseId(first.id()));
        Sent third = send(ask("what is my town?").previousResponseId(second.id()));
        Sent last = send(ask("what is my name?").previousResponseId(other.id()));

        // Then
        assertEquals(first.session(), second.session());
        assertEquals(first.session(), third.session());
        assertNotEquals(first.session(), other.session());
        assertEquals(other.session(), last.session());
        assertTrue(text(third.response()).contains("Oslo"), text(third.response()));
        assertFalse(text(other.response()).contains("Oslo"), text(other.response()));
        assertEquals("Your name is Ann.", text(last.response()));
        var none = assertThrows(
                BadRequestException.class,
                () -> client.responses()
                        .create(ask("x").previousResponseId("resp_" + "0".repeat(32))
                                .build()));
        assertEquals("previous_response_id", none.param().orElseThrow());
    }

    private static List<JsonNode> stream(String path) {
        return api.watch(path)
                .filter(line -> line.startsWith("data: "))
                .map(line -> Api.json(line.substring("data: ".length())))
                .toList();
    }

    @Test
    @Tag("B90")
    void responseStaysAsItWasAnswered() {
        // Given
        var body = Map.of(
                "model", "default",
                "input", "!say let me see\n!call pick {}",
                "instructions", "Be brief.",
                "metadata", Map.of("order", "7"),
                "tools", List.of(Map.of("type", "function", "name", "pick", "parameters", Map.of("type", "object"))));
        JsonNode first = api.post("/v1/responses", body).json();
        JsonNode second = api.post(
                        "/v1/responses",
                        Map.of(
                                "model", "default",
                                "previous_response_id", first.get("id").asText(),
                                "input",
                                        List.of(Map.of(
                                                "type", "function_call_output",
                                                "call_id",
                                                        first.at("/output/1/call_id")
                                                                .asText(),
                                                "output", "blue"))))
                .json();
        JsonNode third = api.post(
                        "/v1/responses",
                        Map.of(
                                "model", "default",
                                "previous_response_id", second.get("id").asText(),
                                "input", "!stream 5 words over 100ms"))
                .json();

        // Then: each is what its request was answered with
        for (JsonNode response : List.of(first, second, third)) {
            String path = "/v1/responses/" + response.get("id").asText();
            assertEquals(response, api.get(path).json());
            List<JsonNode> events = stream(path + "?stream=true");
            assertEquals(response, events.getLast().get("response"));
            assertEquals(events.subList(3, events.size()), stream(path + "?stream=true&starting_after=2"));
            for (JsonNode id : response.findValues("id")) {
                assertTrue(id.asText().length() <= 64, id.asText());
            }
            for (JsonNode id : response.findValues("call_id")) {
                assertTrue(id.asText().length() <= 64, id.asText());
            }
        }
        assertEquals("let me see", first.at("/output/0/content/0/text").asText());
        assertEquals("7", first.at("/metadata/order").asText());
        assertEquals("Be brief.", first.get("instructions").asText());
        assertEquals("pick", first.at("/tools/0/name").asText());
        assertEquals(first.get("id"), second.get("previous_response_id"));
        assertEquals("default", second.get("model").asText());
        assertNotEquals(first.get("id"), second.get("id"));
        JsonNode items = api.get("/v1/responses/" + first.get("id").asText() + "/input_items")
                .json();
        assertEquals(
                "!say let me see\n!call pick {}",
                items.at("/data/0/content/0/text").asText());
        String id = third.get("id").asText();
        assertEquals("invalid_value", error(api.get("/v1/responses/" + id + "?starting_after=2")));
        assertTrue(api.delete("/v1/responses/" + id).json().get("deleted").asBoolean());
        assertEquals("response_not_found", error(api.get("/v1/responses/" + id)));
        assertEquals("response_not_found", error(api.delete("/v1/responses/" + id)));
    }

    @Test
    @Tag("B90")
    void runningStreamIsResumed() {
        // Given
        Response background = client.responses()
                .create(ask("!stream 40 words over 4s").background(true).build());

        // When
        String path = "/v1/responses/" + background.id() + "?stream=true";
        List<JsonNode> all = stream(path);
        List<JsonNode> rest = stream(path + "&starting_after=3");

        // Then
        assertEquals("response.completed", all.getLast().get("type").asText());
        assertEquals(all.subList(4, all.size()), rest);
        assertTrue(all.getLast().at("/response/background").asBoolean());
    }

    private static Map<String, Object> item(Object reference) {
        return Map.of("type", "item_reference", "id", reference.toString());
    }

    private static Map<String, Object> user(String text) {
        return Map.of("role", "user", "content", text);
    }

    private static Sent input(Object... items) {
        return send(ResponseCreateParams.builder()
                .model("default")
                .putAdditionalBodyProperty("input", JsonValue.from(List.of(items))));
    }

    @Test
    @Tag("B91")
    void inputIsTheContextAlsoWhereItNamesItems() {
        // Given
        Sent first = input(user("my name is Ann"));
        String answer = first.response().output().getFirst().asMessage().id();

        // When
        Sent same = input(user("my name is Ann"), item(answer), user("what is my name?"));
        Sent edited = input(user("my name is Bob"), item(answer), user("what is my name?"));
        Sent dropped = input(item(answer), user("what is my name?"));

        // Then
        assertEquals(first.session(), same.session());
        assertEquals("Your name is Ann.", text(same.response()));
        assertNotEquals(first.session(), edited.session());
        assertEquals("Your name is Bob.", text(edited.response()));
        assertNotEquals(first.session(), dropped.session());
        assertFalse(text(dropped.response()).contains("Your name is"), text(dropped.response()));
    }

    @Test
    @Tag("B164")
    void aPersonHasSoManyConversationsInAProject() throws Exception {
        // Given
        Map<String, Object> none = Map.of();
        Api.Answer first = api.post("/v1/conversations", none);
        try (var connection = servers.superuser();
                var statement = connection.createStatement();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            statement.executeUpdate(
                    """
                    INSERT INTO channels.openai_conversation_t (host_id, conversation_id, project_id, user_id, metadata)
                    SELECT host_id, gen_random_uuid(), project_id, user_id, '{}' FROM channels.openai_conversation_t,
                      generate_series(1, 9997 - (SELECT count(*) FROM channels.openai_conversation_t c
                        WHERE c.user_id = openai_conversation_t.user_id AND c.project_id = openai_conversation_t.project_id))
                    WHERE conversation_id = '%s'
                    """.formatted(first.json().path("id").asText().substring("conv_".length())));

            // When
            List<Future<Answer>> sent = IntStream.range(0, 12)
                    .mapToObj(_ -> threads.submit(() -> api.post("/v1/conversations", none)))
                    .toList();
            var answers = new ArrayList<Answer>();
            for (Future<Answer> answer : sent) {
                answers.add(answer.get());
            }

            // Then
            assertEquals(
                    3, answers.stream().filter(answer -> answer.status() == 200).count());
            answers.stream().filter(answer -> answer.status() != 200).forEach(answer -> {
                assertEquals(400, answer.status(), answer.text());
                assertEquals("too_many", answer.json().at("/error/code").asText());
            });

            // When
            api.delete("/v1/conversations/" + first.json().path("id").asText());

            // Then
            assertEquals(200, api.post("/v1/conversations", none).status());
            assertEquals(400, api.post("/v1/conversations", none).status());

            statement.executeUpdate("DELETE FROM channels.openai_conversation_t WHERE metadata::text = '{}'");
        }
    }

    @Test
    @Tag("B92")
    void conversationKeepsItems() {
        // Given
        String path = "/v1/conversations";
        JsonNode conversation = api.post(
                        path, Map.of("metadata", Map.of("topic", "a"), "items", List.of(user("my name is Ann"))))
                .json();
        String id = conversation.get("id").asText();

        // When
        Sent first = send(ask("what is my name?").conversation(id));
        Sent second = send(ask("what is my name?").conversation(id));
        Answer added = api.post(path + "/" + id + "/items", Map.of("items", List.of(user("my name is Bob"))));
        Sent third = send(ask("what is my name?").conversation(id));

        // Then
        assertEquals("conversation", conversation.get("object").asText());
        assertTrue(text(first.response()).endsWith("Your name is Ann."), text(first.response()));
        assertEquals("Your name is Ann.", text(second.response()));
        assertEquals(first.session(), second.session());
        assertNotEquals(first.session(), third.session());
        assertTrue(text(third.response()).contains("Your name is Bob."), text(third.response()));
        assertEquals(id, first.response().conversation().orElseThrow().id());
        JsonNode items = api.get(path + "/" + id + "/items?order=asc&limit=100").json();
        assertEquals(8, items.get("data").size(), items.toString());
        assertEquals("my name is Ann", items.at("/data/0/content/0/text").asText());
        assertEquals(text(first.response()), items.at("/data/2/content/0/text").asText());
        String item = added.json().at("/data/0/id").asText();
        assertEquals(
                "my name is Bob",
                api.get(path + "/" + id + "/items/" + item)
                        .json()
                        .at("/content/0/text")
                        .asText());

        // When an item is deleted, the metadata changed, the conversation deleted
        assertEquals(
                id,
                api.delete(path + "/" + id + "/items/" + item).json().get("id").asText());
        assertEquals("item_not_found", error(api.get(path + "/" + id + "/items/" + item)));
        Answer changed = api.post(path + "/" + id, Map.of("metadata", Map.of("topic", "b")));
        assertEquals("b", changed.json().at("/metadata/topic").asText());
        assertEquals(changed.json(), api.get(path + "/" + id).json());
        assertTrue(api.delete(path + "/" + id).json().get("deleted").asBoolean());
        assertEquals("conversation_not_found", error(api.get(path + "/" + id)));
        var gone = assertThrows(NotFoundException.class, () -> send(ask("x").conversation(id)));
        assertEquals("conversation", gone.param().orElseThrow());
        assertEquals("invalid_value", error(api.post(path, Map.of("metadata", "x"))));
        assertEquals("invalid_value", error(api.post(path, Map.of("items", "x"))));
        assertEquals(200, api.post(path, Map.of("items", List.of())).status());
        assertEquals("items[0].type", param(api.post(path, Map.of("items", List.of(Map.of("type", "x"))))));
    }

    private static String param(Answer answer) {
        error(answer);
        return answer.json().at("/error/param").asText();
    }

    @Test
    @Tag("B93")
    void functionMayHaveTheNameOfAToolOfTheAgent() {
        // When
        Response response = client.responses()
                .create(ask("!call client__time {}").addTool(function("time")).build());
        Response last = client.responses().create(toolResult(response, call(response, "time"), "noon"));

        // Then
        assertTrue(text(last).contains("noon"), text(last));
    }

    @Test
    @Tag("B94")
    void answerNeverBreaksAStrictSchema() {
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
        var format = Map.of("type", "json_schema", "name", "n", "strict", true, "schema", schema);

        // When
        Answer valid = api.post(
                "/v1/responses",
                Map.of("model", "default", "input", "!say {\"n\":1}", "text", Map.of("format", format)));
        Answer broken = api.post(
                "/v1/responses",
                Map.of("model", "default", "input", "!say {\"n\":\"1\"}", "text", Map.of("format", format)));
        Answer invalid = api.post(
                "/v1/responses",
                Map.of(
                        "model", "default",
                        "input", "x",
                        "text",
                                Map.of(
                                        "format",
                                        Map.of(
                                                "type",
                                                "json_schema",
                                                "name",
                                                "n",
                                                "strict",
                                                true,
                                                "schema",
                                                Map.of("type", "x")))));

        // Then
        assertEquals("{\"n\":1}", valid.json().at("/output/0/content/0/text").asText(), valid.text());
        assertEquals(502, broken.status());
        assertEquals("invalid_request", error(broken));
        assertEquals("text.format.schema", param(invalid));
    }

    @Test
    @Tag("B95")
    void answersThatEndInCallsHaveTheirUsage() {
        // Given
        var request = chatWithTools("!usage in=100 out=10\n!call pick {}\n!then\n!usage in=200 out=20\n!say done")
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build());

        // When
        ChatCompletion first = streamed(request.build());
        var call = calledFunction(first);
        request.addMessage(first.choices().getFirst().message())
                .addMessage(ChatCompletionToolMessageParam.builder()
                        .toolCallId(call.id())
                        .content("blue")
                        .build());
        ChatCompletion last = streamed(request.build());

        // Then
        assertEquals(110, first.usage().orElseThrow().totalTokens());
        assertEquals(220, last.usage().orElseThrow().totalTokens());
    }

    @Test
    @Tag("B96")
    void stopIsAnyText() {
        for (Object stop : List.of("\nObservation:", List.of("\n"), List.of("\n\n", "Q: "), " ", List.of("\r\n"))) {
            Answer answer = api.post(
                    "/v1/chat/completions",
                    Map.of("model", "default", "messages", List.of(user("hello")), "stop", stop));
            assertEquals(200, answer.status(), answer.text());
        }
        Answer five = api.post(
                "/v1/chat/completions",
                Map.of(
                        "model",
                        "default",
                        "messages",
                        List.of(user("hello")),
                        "stop",
                        List.of("a", "b", "c", "d", "e")));
        assertEquals("stop", param(five));
    }

    @Test
    @Tag("B97")
    void browsersOfNamedOriginsAndAzuresClientsAreServed() throws IOException, InterruptedException {
        // Given
        var http = HttpClient.newHttpClient();
        URI models = URI.create(instance.url() + "/v1/models");
        var preflight = HttpRequest.newBuilder(models)
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Access-Control-Request-Method", "GET")
                .header("Access-Control-Request-Headers", "authorization,x-stainless-lang");

        // When
        var named = http.send(
                preflight.copy().header("Origin", "https://app.example.com").build(), BodyHandlers.ofString());
        var other = http.send(
                preflight.copy().header("Origin", "https://other.example.com").build(), BodyHandlers.ofString());
        var azure = http.send(
                HttpRequest.newBuilder(models).header("api-key", Servers.KEY).build(), BodyHandlers.ofString());
        var wrong = http.send(
                HttpRequest.newBuilder(models)
                        .header("api-key", "sk-sentinel-wrong")
                        .build(),
                BodyHandlers.ofString());

        // Then
        String allowed = "Access-Control-Allow-Origin";
        assertEquals(
                "https://app.example.com", named.headers().firstValue(allowed).orElseThrow());
        assertTrue(
                named.headers().firstValue("Access-Control-Allow-Credentials").isEmpty());
        assertTrue(other.headers().firstValue(allowed).isEmpty());
        assertEquals(200, azure.statusCode());
        assertEquals(401, wrong.statusCode());
    }

    @Test
    @Tag("D6")
    void reportsErrorsInTheProtocolOfOpenAi() {
        // Given
        String project = api.project("P");
        var stranger = client(instance.url() + "/v1", "sk-sentinel-wrong");
        var client = client(instance.url() + "/v1/projects/" + project, Servers.KEY);

        // Then
        var wrongKey = assertThrows(
                UnauthorizedException.class, () -> stranger.models().list());
        assertEquals("invalid_api_key", wrongKey.code().orElseThrow());
        for (String path : List.of("/v1/embeddings", "/v1/responses/input_tokens", "/v1/responses/compact")) {
            Answer refused = api.post(path, Map.of("model", "default", "input", "x"));
            assertEquals("unsupported_endpoint", error(refused));
            assertTrue(refused.json().at("/error/message").asText().contains(path), refused.text());
        }
        Answer deletion = api.delete("/v1/chat/completions/chatcmpl-1");
        assertEquals("unsupported_endpoint", error(deletion));
        assertTrue(deletion.json().at("/error/message").asText().contains("/erase"), deletion.text());
        assertEquals("unknown_project", error(api.get("/v1/projects/nowhere/models")));
        assertEquals("invalid_value", error(api.post("/v1/chat/completions", List.of())));
        var failed = assertThrows(
                InternalServerException.class,
                () -> client.chat()
                        .completions()
                        .create(chat("!fail invalid_request").build()));
        assertEquals(502, failed.statusCode());
        var tooLong = assertThrows(
                BadRequestException.class,
                () -> client.responses().create(ask("!fail context_too_long").build()));
        assertEquals("context_length_exceeded", tooLong.code().orElseThrow());
        Awaitility.await()
                .until(() -> sessions(project) >= 2); // the two that failed; rejected requests open no session
        assertEquals(2, sessions(project));
    }

    private static String error(Answer answer) {
        assertTrue(answer.status() >= 400, answer.text());
        assertTrue(answer.json().at("/error/message").isTextual(), answer.text());
        assertTrue(answer.json().at("/error/type").isTextual(), answer.text());
        assertTrue(answer.json().get("error").has("param"), answer.text());
        return answer.json().at("/error/code").asText();
    }

    // ---- functions of the client

    private static FunctionTool function(String name) {
        return FunctionTool.builder()
                .name(name)
                .parameters(FunctionTool.Parameters.builder()
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .build())
                .strict(false)
                .build();
    }

    private static ChatCompletionCreateParams.Builder chatWithTools(String text) {
        return chat(text)
                .addFunctionTool(FunctionDefinition.builder()
                        .name("pick")
                        .description("Picks a colour")
                        .build())
                .addFunctionTool(FunctionDefinition.builder().name("show").build());
    }

    private static ChatCompletion streamed(ChatCompletionCreateParams request) {
        var accumulator = ChatCompletionAccumulator.create();
        try (var stream = client.chat().completions().createStreaming(request)) {
            stream.stream().forEach(accumulator::accumulate);
        }
        return accumulator.chatCompletion();
    }

    private static ChatCompletionMessageFunctionToolCall calledFunction(ChatCompletion completion) {
        var choice = completion.choices().getFirst();
        assertEquals(ChatCompletion.Choice.FinishReason.TOOL_CALLS, choice.finishReason());
        List<ChatCompletionMessageToolCall> calls = choice.message().toolCalls().orElseThrow();
        assertEquals(1, calls.size());
        return calls.getFirst().asFunction();
    }

    /** The loop of a client: request, run the called functions, resend all with the results, until none is called. */
    private static ChatCompletion loop(
            ChatCompletionCreateParams.Builder request,
            Function<ChatCompletionCreateParams, ChatCompletion> send,
            List<String> calls) {
        ChatCompletion answer = send.apply(request.build());
        while (answer.choices().getFirst().finishReason().equals(ChatCompletion.Choice.FinishReason.TOOL_CALLS)) {
            var call = calledFunction(answer);
            calls.add(call.function().name() + call.function().arguments());
            request.addMessage(answer.choices().getFirst().message())
                    .addMessage(ChatCompletionToolMessageParam.builder()
                            .toolCallId(call.id())
                            .content("result of " + call.function().name())
                            .build());
            answer = send.apply(request.build());
        }
        return answer;
    }

    private static final String TWO_STEPS = """
        !say Let me see.
        !call pick {"n":1}
        !call time {}
        !then
        !call show {"n":2}
        !then
        !say Both are done.\
        """;

    @Test
    @Tag("D10")
    @Tag("I130")
    void completionCallsFunctionsOfTheClientInSteps() {
        for (Function<ChatCompletionCreateParams, ChatCompletion> send :
                List.<Function<ChatCompletionCreateParams, ChatCompletion>>of(
                        request -> client.chat().completions().create(request), OpenAiIT::streamed)) {
            // When
            var calls = new ArrayList<String>();
            var turns = new TreeSet<String>();
            ChatCompletion answer = loop(
                    chatWithTools(TWO_STEPS),
                    request -> {
                        ChatCompletion completion = send.apply(request);
                        turns.add(completion.id().split("-")[1]);
                        return completion;
                    },
                    calls);

            // Then
            assertEquals(List.of("pick{\"n\":1}", "show{\"n\":2}"), calls);
            assertEquals("Both are done.", text(answer));
            assertEquals(
                    ChatCompletion.Choice.FinishReason.STOP,
                    answer.choices().getFirst().finishReason());
            assertEquals(1, turns.size(), "one turn made all of it");
        }
    }

    private static String call(Response response, String name) {
        var call = response.output().getLast().asFunctionCall();
        assertEquals(ResponseStatus.COMPLETED, status(response));
        assertEquals(name, call.name());
        return call.callId();
    }

    private static ResponseCreateParams toolResult(Response before, String call, String result) {
        return ResponseCreateParams.builder()
                .model("default")
                .previousResponseId(before.id())
                .inputOfResponse(
                        List.of(ResponseInputItem.ofFunctionCallOutput(ResponseInputItem.FunctionCallOutput.builder()
                                .callId(call)
                                .output(result)
                                .build())))
                .build();
    }

    private static Response streamed(ResponseCreateParams request) {
        var accumulator = ResponseAccumulator.create();
        try (var stream = client.responses().createStreaming(request)) {
            stream.stream().forEach(accumulator::accumulate);
        }
        return accumulator.response();
    }

    @Test
    @Tag("D10")
    @Tag("I130")
    void responseCallsFunctionsOfTheClientInSteps() {
        for (Function<ResponseCreateParams, Response> send : List.<Function<ResponseCreateParams, Response>>of(
                request -> client.responses().create(request), OpenAiIT::streamed)) {
            // When
            Response first = send.apply(ask(TWO_STEPS)
                    .addTool(function("pick"))
                    .addTool(function("show"))
                    .build());
            String pick = call(first, "pick");
            Response second = send.apply(toolResult(first, pick, "blue"));
            Response third = send.apply(toolResult(second, call(second, "show"), "shown"));

            // Then
            assertEquals("Let me see.", text(first));
            assertEquals("Both are done.", text(third));
            assertEquals(
                    3,
                    List.of(first.id(), second.id(), third.id()).stream()
                            .distinct()
                            .count());
            Response next = client.responses()
                    .create(ask("!say Next.").previousResponseId(third.id()).build());
            assertEquals("Next.", text(next));
            var rejected = assertThrows(
                    BadRequestException.class, () -> client.responses().create(toolResult(first, pick, "red")));
            assertEquals("unknown_call", rejected.code().orElseThrow());
        }
    }

    @Test
    @Tag("D10")
    @Tag("I135")
    void toolChoiceSelectsTheFirstFunction() {
        // When
        var required = calledFunction(client.chat()
                .completions()
                .create(chatWithTools("hello")
                        .toolChoice(ChatCompletionToolChoiceOption.Auto.REQUIRED)
                        .build()));
        var namedChoice = chatWithTools("hello")
                .toolChoice(ChatCompletionNamedToolChoice.builder()
                        .function(ChatCompletionNamedToolChoice.Function.builder()
                                .name("pick")
                                .build())
                        .build());
        var calls = new ArrayList<String>();
        ChatCompletion answer =
                loop(namedChoice, request -> client.chat().completions().create(request), calls);
        Response single = client.responses()
                .create(ask("!call pick {}\n!call show {}\n!then\n!say Done.")
                        .addTool(function("pick"))
                        .addTool(function("show"))
                        .toolChoice(ToolChoiceFunction.builder().name("pick").build())
                        .parallelToolCalls(false)
                        .build());
        var unknown = assertThrows(
                BadRequestException.class,
                () -> client.responses()
                        .create(ask("hello")
                                .toolChoice(
                                        ToolChoiceFunction.builder().name("fly").build())
                                .build()));

        // Then
        assertEquals("show", required.function().name());
        assertEquals(List.of("pick{}"), calls);
        assertTrue(text(answer).contains("result of pick"), text(answer));
        assertEquals(1, single.output().size());
        assertEquals("Done.", text(client.responses().create(toolResult(single, call(single, "pick"), "blue"))));
        assertEquals("unknown_tool", unknown.code().orElseThrow());
    }

    @Test
    @Tag("I134")
    void invalidArgumentsAreReportedToTheModelOnly() {
        // Given
        var tool = FunctionTool.builder()
                .name("pick")
                .parameters(FunctionTool.Parameters.builder()
                        .putAdditionalProperty("$schema", JsonValue.from("http://json-schema.org/draft-07/schema#"))
                        .putAdditionalProperty("type", JsonValue.from("object"))
                        .putAdditionalProperty("properties", JsonValue.from(Map.of("n", Map.of("type", "integer"))))
                        .build())
                .strict(false)
                .build();

        // When
        Response first = client.responses()
                .create(ask("!call pick {\"n\":\"one\"}\n!then\n!call pick {\"n\":1}")
                        .addTool(tool)
                        .build());

        // Then
        assertEquals(1, first.output().size());
        assertEquals("{\"n\":1}", first.output().getFirst().asFunctionCall().arguments());
        Response last = client.responses().create(toolResult(first, call(first, "pick"), "blue"));
        assertTrue(text(last).contains("blue"), text(last));
    }

    @Test
    @Tag("D7")
    @Tag("D10")
    void repeatedRequestGetsTheSamePendingCalls() {
        // Given
        var request = ask("!call pick {}").addTool(function("pick")).background(true);
        Response first = client.responses()
                .create(request.putAdditionalHeader("Idempotency-Key", "calls-once")
                        .build());

        // When
        Response waits = Awaitility.await()
                .until(
                        () -> client.responses().retrieve(first.id()),
                        response -> !response.output().isEmpty());
        Response repeated = client.responses().create(request.background(false).build());
        var unanswered = assertThrows(
                BadRequestException.class,
                () -> client.responses()
                        .create(ask("never mind").previousResponseId(first.id()).build()));
        Response completed = client.responses().create(toolResult(repeated, call(repeated, "pick"), "blue"));
        Response completedAgain = client.responses().create(toolResult(repeated, call(repeated, "pick"), "blue"));

        // Then
        assertEquals(call(waits, "pick"), call(repeated, "pick"));
        assertEquals("input", unanswered.param().orElseThrow());
        assertTrue(text(completed).contains("blue"), text(completed));
        assertEquals(text(completed), text(completedAgain));
    }

    @Test
    @Tag("I130")
    void listsPendingCallsAndAcceptsEachResultOnce() {
        // Given
        var tool = Map.of("name", "pick", "parameters", Map.of("type", "object"));
        Answer turn = api.post(
                "/v1/sessions/api-tools/turns", Map.of("text", "!call pick {\"n\":1}", "tools", List.of(tool)));
        assertEquals(202, turn.status(), turn.text());
        var call = Awaitility.await()
                .until(() -> api.list("/v1/sessions/api-tools/calls"), calls -> calls.size() == 1)
                .getFirst();

        // When
        String path = "/v1/sessions/api-tools/calls/" + call.get("id").asText() + "/result";
        int accepted = api.post(path, Map.of("content", "blue")).status();
        int repeated = api.post(path, Map.of("content", "blue")).status();
        Answer other = api.post(path, Map.of("content", "red"));

        // Then
        assertEquals("pick", call.get("tool").asText());
        assertEquals("{\"n\":1}", call.get("arguments").asText());
        assertEquals(turn.json().get("id").asText(), call.get("turn").asText());
        assertEquals(202, accepted);
        assertEquals(202, repeated);
        assertEquals(404, other.status());
        assertEquals("unknown_call", other.code());
        assertTrue(api.list("/v1/sessions/api-tools/calls").isEmpty());
        Awaitility.await()
                .until(() -> api.get("/v1/sessions/api-tools/messages").text().contains("blue"));
        Answer rejected =
                api.post("/v1/sessions/api-tools/turns", Map.of("text", "x", "tools", List.of(Map.of("name", "time"))));
        assertEquals(400, rejected.status());
        assertEquals("tool_name_taken", rejected.code());
    }

    @Test
    @Tag("I136")
    void waitingRequestReturnsThePendingCalls() {
        // Given
        String session = "/v1/sessions/api-waits";
        var tool = Map.of("name", "pick", "parameters", Map.of("type", "object"));
        var request = Map.of(
                "text",
                "!call pick {\"n\":1}\n!call pick {\"n\":2}\n!then\n!call pick {\"n\":3}",
                "tools",
                List.of(tool));

        // When
        Answer turn = api.send("POST", session + "/turns?wait=60s", request, Map.of("Idempotency-Key", "waits"));
        Answer repeated = api.send("POST", session + "/turns?wait=60s", request, Map.of("Idempotency-Key", "waits"));
        var arguments = new ArrayList<String>();
        Answer answer = turn;
        while (answer.status() == 202) {
            var call = answer.json().at("/calls/0");
            arguments.add(call.get("arguments").asText());
            answer = api.post(
                    session + "/calls/" + call.get("id").asText() + "/result?wait=60s", Map.of("content", "blue"));
        }

        // Then
        assertEquals("WAITING_TOOL", turn.json().get("state").asText(), turn.text());
        assertEquals(2, turn.json().get("calls").size());
        assertEquals(turn.json().get("calls"), repeated.json().get("calls"));
        assertEquals(List.of("{\"n\":1}", "{\"n\":2}", "{\"n\":3}"), arguments);
        assertEquals(200, answer.status(), answer.text());
        assertEquals("COMPLETED", answer.json().get("state").asText());
        assertTrue(answer.json().get("reply").asText().contains("blue"), answer.text());

        // When it is answered again
        String text = answer.json().get("reply").asText();
        String reply = Awaitility.await()
                .until(
                        () -> api.list(session + "/messages").stream()
                                .filter(message -> message.get("role").asText().equals("assistant"))
                                .filter(message ->
                                        message.findValuesAsText("text").contains(text))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow()
                .get("id")
                .asText();
        Answer anew = api.send("POST", session + "/messages/" + reply + "/retry?wait=60s", null, Map.of());

        // Then
        assertEquals(202, anew.status(), anew.text());
        assertEquals(2, anew.json().get("calls").size(), anew.text());
    }

    @Test
    @Tag("D6")
    void failedStreamEndsWithAnErrorEvent() {
        assertThrows(OpenAIException.class, () -> chunks(chat("!say a\n!fail invalid_request")));
        List<String> lines = api.stream(
                        "/v1/responses",
                        Map.of("model", "default", "stream", true, "input", "!say a\n!fail invalid_request"))
                .filter(line -> line.startsWith("event: "))
                .toList();
        assertEquals(List.of("event: error", "event: response.failed"), lines.subList(lines.size() - 2, lines.size()));
    }

    @Test
    @Tag("D7")
    void retriedRequestIsOneTurn() throws IOException {
        // Given
        String project = api.project("P");
        String path = "/v1/projects/" + project;
        var requests = new AtomicInteger();
        LocalServer losing = losingProxy(requests);
        var impatient = client(losing.url() + path, Servers.KEY);

        // When
        ChatCompletion completion =
                impatient.chat().completions().create(chat("my name is Cleo").build());
        Map<String, Object> body = Map.of("model", "default", "input", "hello");
        Answer first = api.post(path + "/responses", body, Map.of("Idempotency-Key", "k1"));
        Answer repeated = api.post(path + "/responses", body, Map.of("Idempotency-Key", "k1"));
        Answer other = api.post(
                path + "/responses", Map.of("model", "default", "input", "bye"), Map.of("Idempotency-Key", "k1"));
        losing.close();

        // Then
        assertEquals(2, requests.get());
        assertTrue(text(completion).contains("Cleo"), text(completion));
        assertEquals(first.json().get("id"), repeated.json().get("id"));
        assertEquals(first.json().get("output"), repeated.json().get("output"));
        assertEquals(409, other.status());
        assertEquals("idempotency_mismatch", error(other));
        Awaitility.await().until(() -> sessions(project) >= 2);
        assertEquals(2, sessions(project));
    }

    /** A proxy to the server that loses the first response. */
    private static LocalServer losingProxy(AtomicInteger requests) {
        var http = HttpClient.newHttpClient();
        return LocalServer.serial().handle("/", exchange -> {
            try (exchange) {
                var forwarded = HttpRequest.newBuilder(URI.create(
                                instance.url() + exchange.getRequestURI().getPath()))
                        .header("Authorization", "Bearer " + Servers.KEY)
                        .header("Content-Type", "application/json")
                        .header(
                                "X-Stainless-Retry-Count",
                                exchange.getRequestHeaders().getFirst("X-Stainless-Retry-Count"))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()))
                        .build();
                String answer = http.send(forwarded, BodyHandlers.ofString()).body();
                if (requests.getAndIncrement() == 0) {
                    exchange.sendResponseHeaders(503, -1);
                } else {
                    LocalServer.respond(exchange, "application/json", answer);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    @Tag("D8")
    void turnWaitingForApprovalContinuesWhenAnswered() {
        // Given
        var call = "!call echo {\"text\":\"hi\"}\n!then\n!say done";

        // When
        Answer chat = api.post(
                "/v1/chat/completions",
                Map.of("model", "default", "messages", List.of(Map.of("role", "user", "content", call))),
                Map.of("Prefer", "wait=5"));
        Response open = client.responses()
                .create(ask(call).putAdditionalHeader("Prefer", "wait=1").build());

        // Then
        assertEquals(504, chat.status());
        assertEquals("approval_required", error(chat));
        assertEquals(ResponseStatus.IN_PROGRESS, status(open));
        assertEquals(ResponseStatus.IN_PROGRESS, status(client.responses().retrieve(open.id())));
        for (var approval : Awaitility.await().until(() -> api.list("/v1/approvals"), list -> list.size() == 2)) {
            api.post(
                    "/v1/sessions/" + approval.get("session").asText() + "/approvals/"
                            + approval.get("id").asText(),
                    Map.of("answer", "once"));
        }
        Response completed = Awaitility.await()
                .until(
                        () -> client.responses().retrieve(open.id()),
                        response -> status(response).equals(ResponseStatus.COMPLETED));
        assertEquals("done", text(completed));
    }

    @Test
    @Tag("B223")
    void anOpinionAboutAResponseIsOneAboutItsTurn() {
        // Given
        Response response = client.responses().create(ask("!say Bergen").build());
        String path = "/v1/responses/" + response.id() + "/feedback";

        // When
        Api.Answer given = api.post(path, Map.of("opinion", "bad", "text", "it is Oslo"));

        // Then
        assertEquals(200, given.status(), given.text());
        assertEquals("response.feedback", given.json().path("object").asText());
        JsonNode turn = api.list("/v1/turns?feedback=bad&fresh=true").getFirst().path("turn");
        assertEquals("Bergen", turn.path("reply").asText());
        String feedback = "/v1/sessions/" + turn.path("session").asText() + "/turns/"
                + turn.path("id").asText() + "/feedback?fresh=true";
        assertEquals("it is Oslo", api.list(feedback).getFirst().path("text").asText());
        assertEquals(200, api.delete(path).status());
        assertEquals(List.of(), api.list(feedback));
        assertEquals(400, api.post(path, Map.of("opinion", "meh")).status());
        assertEquals(
                404,
                api.post(path.replace(response.id(), "resp_" + "0".repeat(32)), Map.of("opinion", "bad"))
                        .status());
    }

    @Test
    @Tag("D8")
    void cancelsAResponseByIdAndContinuesWithoutItsClient() {
        // Given
        Response background = client.responses()
                .create(ask("!stream 600 words over 60s").background(true).build());
        String abandoned;
        try (StreamResponse<ResponseStreamEvent> stream = client.responses()
                .createStreaming(ask("!stream 20 words over 2s").build())) {
            abandoned = stream.stream()
                    .flatMap(event -> event.created().stream())
                    .findFirst()
                    .orElseThrow()
                    .response()
                    .id();
        }

        // When
        Response cancelled = client.responses().cancel(background.id());

        // Then
        assertEquals(ResponseStatus.QUEUED, status(background));
        assertEquals(ResponseStatus.CANCELLED, status(cancelled));
        assertEquals(ResponseStatus.CANCELLED, status(client.responses().cancel(background.id())));
        Response completed = Awaitility.await()
                .until(
                        () -> client.responses().retrieve(abandoned),
                        response -> status(response).equals(ResponseStatus.COMPLETED));
        assertEquals(20, text(completed).split(" ").length);
    }

    @Test
    @Tag("D8")
    void cancelEndsAStreamWithAnError() {
        // Given
        var chunkIds = new ArrayList<String>();

        // When
        var cancelled = assertThrows(OpenAIException.class, () -> {
            try (StreamResponse<ChatCompletionChunk> stream = client.chat()
                    .completions()
                    .createStreaming(chat("!stream 600 words over 60s")
                            .putAdditionalHeader("Parley-Session", "app:long")
                            .build())) {
                stream.stream().forEach(chunk -> {
                    chunkIds.add(chunk.id());
                    if (chunkIds.size() == 2) {
                        api.delete("/v1/sessions/app:long/run");
                    }
                });
            }
        });

        // Then
        assertTrue(chunkIds.size() >= 2);
        assertTrue(
                Optional.of(cancelled)
                                .filter(OpenAIServiceException.class::isInstance)
                                .flatMap(e -> ((OpenAIServiceException) e).code())
                                .filter("turn_cancelled"::equals)
                                .isPresent()
                        || String.valueOf(cancelled.getMessage()).contains("cancelled"),
                cancelled.toString());
    }

    @Test
    @Tag("D1")
    @Tag("D6")
    void hidesResponsesOfOtherProjects() {
        // Given
        Response defaultResponse = client.responses().create(ask("hello").build());
        String name = "openai-ann";
        api.post("/v1/auth/register", Map.of("username", name, "password", PASSWORD));
        Answer login = api.post("/v1/auth/login", Map.of("username", name, "password", PASSWORD));
        String key = login.json().get("token").asText();
        var ann = new Api(instance.url(), key);
        String project = ann.project("P");

        // When
        var inPath = client(instance.url() + "/v1/projects/" + project, key);
        var byHeader = OpenAIOkHttpClient.builder()
                .baseUrl(instance.url() + "/v1")
                .apiKey(key)
                .project(project)
                .build();

        // Then
        Response projectResponse = inPath.responses().create(ask("hello").build());
        assertEquals(
                projectResponse.id(),
                byHeader.responses().retrieve(projectResponse.id()).id());
        assertThrows(NotFoundException.class, () -> byHeader.responses().retrieve(defaultResponse.id()));
        assertThrows(
                BadRequestException.class,
                () -> byHeader.responses()
                        .create(ask("x").previousResponseId(defaultResponse.id())
                                .build()));
        assertThrows(NotFoundException.class, () -> client.responses().retrieve(projectResponse.id()));
    }
}
