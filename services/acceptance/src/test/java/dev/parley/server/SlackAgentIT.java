package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.testkit.slack.FakeSlack;
import dev.parley.platform.testkit.slack.SlackChat;
import dev.parley.platform.testkit.slack.SlackChat.Sent;
import dev.parley.platform.testkit.slack.SlackMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A bot of an app that Slack knows as an agent: threads, streams, the stop button, forms and thumbs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlackAgentIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "xoxb-1-2-agent-token_0123456789";
    private static final String OFFICE_TOKEN = "xoxb-1-2-office-token_0123456789";
    private static final String APP_TOKEN = "xapp-1-agent-token_0123456789";
    private static final String PROJECT = "0198a000-0000-7000-8000-000000000007";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private FakeSlack slack;
    /** An app whose bot works for the people of a project. */
    private FakeSlack office;

    private Servers servers;
    private Instance instance;
    private Api api;
    private Api owner;
    private String ownerId;

    @BeforeAll
    void start() throws IOException {
        slack = new FakeSlack(TOKEN, APP_TOKEN);
        slack.becomesAgent();
        office = new FakeSlack(OFFICE_TOKEN, APP_TOKEN);
        office.becomesAgent();
        Files.writeString(folder.resolve("token"), TOKEN);
        Files.writeString(folder.resolve("office"), OFFICE_TOKEN);
        Files.writeString(folder.resolve("app-token"), APP_TOKEN);
        Files.writeString(folder.resolve("parley.yml"), """
                slack:
                  - token: "file:%1$s/token"
                    appToken: "file:%1$s/app-token"
                    apiUrl: %2$s
                    allowAll: true
                    agentView: true
                  - name: office
                    token: "file:%1$s/office"
                    appToken: "file:%1$s/app-token"
                    apiUrl: %3$s
                    allowAll: true
                    agentView: true
                    project: "%4$s"
                """.formatted(folder, slack.api(), office.api(), PROJECT));
        servers = new Servers(folder);
        instance = servers.start("one");
        api = Api.of(instance);
        api.register(Map.of("username", "first", "password", "correct horse battery"));
        var account = api.register(Map.of("username", "owner", "password", "correct horse battery"));
        owner = account.api();
        ownerId = account.id();
        project();
        awaitConnection();
    }

    private void awaitConnection() {
        Awaitility.await().atMost(SOON).until(() -> slack.connections() > 0 && office.connections() > 0);
    }

    private void project() {
        instance.beans().getBean(Database.class).in(Tenant.ALL, transaction -> {
            transaction.update(
                    "INSERT INTO control.project_t (host_id, project_id, project_key, name, owner_id, update_user) VALUES (?, ?, ?, 'P', ?, 'test')",
                    AccessDirectory.DEFAULT_HOST,
                    UUID.fromString(PROJECT),
                    PROJECT,
                    UUID.fromString(ownerId));
            return transaction.update(
                    "INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user) VALUES (?, ?, ?, 'owner', 'test')",
                    AccessDirectory.DEFAULT_HOST,
                    UUID.fromString(PROJECT),
                    UUID.fromString(ownerId));
        });
    }

    @AfterAll
    void stop() {
        instance.close();
        servers.close();
        slack.close();
        office.close();
    }

    @AfterEach
    void nothingWasSentTooFast() {
        assertEquals(List.of(), slack.violations());
        assertEquals(List.of(), office.violations());
    }

    private static List<SlackMessage> in(SlackChat chat, Sent thread) {
        return chat.answers().stream()
                .filter(message -> thread.time().equals(message.thread()))
                .toList();
    }

    private static SlackMessage only(SlackChat chat, Sent thread) {
        List<SlackMessage> messages = in(chat, thread);
        assertEquals(1, messages.size(), messages::toString);
        return messages.getFirst();
    }

    private JsonNode turns(SlackChat chat, Sent thread) {
        return api.get("/v1/sessions/slack:" + chat.user() + ":" + thread.time() + "/turns")
                .json()
                .path("data");
    }

    private JsonNode awaitEnd(SlackChat chat, Sent thread) {
        return Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> turns(chat, thread).path(0),
                        turn -> turn.path("state").asText().matches("COMPLETED|CANCELLED"));
    }

    @Test
    @Tag("B190")
    @Tag("B192")
    void eachMessageBeginsAThreadInWhichItsAnswerIsStreamed() {
        // Given
        SlackChat chat = slack.direct(slack.user("Ann", "en-US"));

        // When
        Sent first = chat.says("!call time {}\n!then\n!stream 40 words over 5s");
        Sent second = chat.says("!say hello");

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> !in(chat, first).isEmpty()
                        && in(chat, first).getFirst().text().length() > 40);
        assertTrue(slack.isStreaming(only(chat, first)), () -> only(chat, first).toString());
        String reply = awaitEnd(chat, first).path("reply").asText();
        Awaitility.await().atMost(SOON).until(() -> only(chat, first).text().equals(reply.strip()));
        Awaitility.await()
                .atMost(SOON)
                .until(() -> in(chat, second).size() == 1
                        && only(chat, second).text().equals("hello"));
        assertTrue(only(chat, first).types().contains("task_update"), only(chat, first)::toString);
        assertEquals("context_actions", only(chat, first).types().getLast());
        assertEquals("context_actions", only(chat, second).types().getLast());
        assertEquals(1, turns(chat, second).size());
        Awaitility.await()
                .atMost(SOON)
                .until(() -> slack.calls("agents.sessions.setStatus").stream()
                        .anyMatch(call -> call.params().path("status").asText().equals("active")
                                && call.params().path("thread_ts").asText().equals(first.time())));
    }

    @Test
    @Tag("B195")
    void theStopButtonCancelsTheTurnOfItsMessageAlone() {
        // Given
        SlackChat chat = slack.direct(slack.user("Bob", "en-US"));
        Sent thread = chat.says("!stream 60s");
        Awaitility.await().atMost(SOON).until(() -> !in(chat, thread).isEmpty());

        // When
        String message = only(chat, thread).time();
        chat.stops(thread.time(), List.of(message));

        // Then
        assertEquals("CANCELLED", awaitEnd(chat, thread).path("state").asText());
        Awaitility.await().atMost(SOON).until(() -> only(chat, thread).changes() > 0);

        // When it is pressed late
        Sent next = chat.says("!delay 2s\n!say I go on", thread.time());
        chat.stops(thread.time(), List.of(message));

        // Then
        Awaitility.await()
                .atMost(SOON)
                .until(() -> in(chat, thread).stream()
                        .anyMatch(answer -> answer.text().equals("I go on")));
        assertEquals(2, in(chat, thread).size(), next::toString);
    }

    @Test
    @Tag("B193")
    void aRestartDuringAStreamLeavesOneAnswer() {
        // Given
        SlackChat chat = slack.direct(slack.user("Cem", "en-US"));
        Sent thread = chat.says("!stream 40 words over 8s");
        Awaitility.await().atMost(SOON).until(() -> !in(chat, thread).isEmpty());

        // When
        instance.close();
        instance = servers.start("one");
        api = Api.of(instance);
        awaitConnection();

        // Then
        String reply = awaitEnd(chat, thread).path("reply").asText();
        Awaitility.await().atMost(SOON).until(() -> only(chat, thread).text().equals(reply.strip()));
        assertFalse(slack.isStreaming(only(chat, thread)));
    }

    @Test
    @Tag("B194")
    void aFormIsAnsweredInAModal() {
        // Given
        SlackChat chat = office.direct(office.user("Dan", "en-US"));
        chat.commands("link "
                + owner.create("/v1/me/channel-links", Map.of())
                        .json()
                        .get("code")
                        .asText());
        Awaitility.await().atMost(SOON).until(() -> chat.answers().toString().contains("owner"));
        String workflows = "/v1/projects/" + PROJECT + "/workflows";
        Api.Answer published = owner.postYaml(workflows, """
                document: { dsl: '1.0.3', namespace: chat, name: claim, version: '1.0.0' }
                do: [ { check: { ask: { prompt: 'Your claim?', mode: form, assignment: { assigneeId: '${ .who }' },
                  schema: { type: object, required: [amount], properties: { amount: { type: number },
                    paid: { type: boolean } } } } } } ]
                """);
        assertEquals(201, published.status(), published.text());
        String process = owner.post(workflows + "/chat:claim/instances", Map.of("input", Map.of("who", ownerId)))
                .json()
                .path("id")
                .asText();
        SlackMessage question = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> chat.answers().stream()
                                .filter(message -> message.text().contains("Your claim?")
                                        && !message.buttons().isEmpty())
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);

        // When
        chat.presses(question, question.buttons().getFirst());
        JsonNode view = Awaitility.await()
                .atMost(SOON)
                .until(() -> office.views(), views -> !views.isEmpty())
                .getFirst();
        ObjectNode amount = JSON.createObjectNode().put("type", "number_input").put("value", "12.5");
        ObjectNode paid = JSON.createObjectNode();
        paid.putObject("selected_option").put("value", "true");
        chat.submits(view, Map.of("amount", amount, "paid", paid));

        // Then
        JsonNode output =
                owner.get("/v1/processes/" + process + "?wait=60s").json().path("output");
        assertEquals(12.5, output.path("amount").asDouble(), output.toString());
        assertTrue(output.path("paid").asBoolean(), output.toString());
        Awaitility.await().atMost(SOON).until(() -> chat.answers().toString().contains("Your answer was accepted."));
        assertEquals(
                List.of("amount", "paid"),
                view.path("blocks").findValuesAsText("block_id"),
                "a field for each property");
    }
}
