package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.kafka.KafkaClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that gets each command and result twice, between aborted transactions; all calls go through topics. */
class RepeatedRecordsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int SESSIONS = 4;
    private static final int TURNS = 3;
    private static final String LOCAL_DISPATCH = "parley.local-dispatch";

    @TempDir
    Path folder;

    @Test
    @Tag("P7")
    @Tag("P14")
    @Tag("M34")
    void repeatedAndAbortedRecordsHaveNoEffect() throws IOException {
        try (var ledger = new CallLedger();
                var servers = new Servers(folder);
                var instance = start(ledger, servers);
                var clients = Executors.newVirtualThreadPerTaskExecutor();
                var duplicates = new DuplicateDelivery(instance.beans().getBean(KafkaClients.class))) {
            // Given
            var api = Api.of(instance);
            ledger.define(api);
            String bank = "/v1/banks/"
                    + api.post("/v1/banks", Map.of("scope", "agent", "agent", "default"))
                            .json()
                            .path("id")
                            .asText();

            // When
            var talks = IntStream.range(0, SESSIONS)
                    .mapToObj(session -> clients.submit(() -> talk(api, session)))
                    .toList();
            List<String> notes = IntStream.range(0, 10)
                    .mapToObj(i -> "%s lives in %s.".formatted(SteadyLoad.name("Ba", i), SteadyLoad.name("Ve", i)))
                    .sorted()
                    .toList();
            notes.forEach(note -> assertEquals(
                    202,
                    api.post(bank + "/docs", Map.of("id", note, "text", note)).status()));
            talks.forEach(talk -> Awaitility.await().atMost(SOON).until(talk::isDone));
            delegate(api);
            requestApproval(api);
            // These messages follow all duplicates.
            Awaitility.await().atMost(SOON).during(Duration.ofMillis(500)).until(duplicates::isCaughtUp);
            IntStream.range(0, SESSIONS).forEach(session -> say(api, session, TURNS));

            // Then
            for (int i = 0; i < SESSIONS; i++) {
                int session = i;
                List<String> expected = IntStream.rangeClosed(0, TURNS)
                        .mapToObj(number -> text(session, number))
                        .toList();
                Awaitility.await()
                        .atMost(SOON)
                        .untilAsserted(() -> assertEquals(expected, replies(api, "twice:" + session)));
                assertEquals(
                        TURNS + 1,
                        api.list("/v1/sessions/twice:" + session + "/turns").size());
            }
            assertEquals(Map.of(), ledger.doubled(_ -> true), "nothing is called again");
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertEquals(notes, facts(api, bank)));
            for (String session : List.of("twice:child", "twice:asked")) {
                Awaitility.await()
                        .atMost(SOON)
                        .untilAsserted(() -> assertEquals(
                                1,
                                api.list("/v1/sessions/" + session + "/turns").size()));
            }
            assertEquals(List.of(), api.list("/v1/dead-letters"));
            assertTrue(duplicates.doubled() > 50, "doubled " + duplicates.doubled());
            System.out.printf(
                    "repeated records: %d came twice, %d transactions aborted, %d calls outside%n",
                    duplicates.doubled(), duplicates.aborted(), ledger.calls().size());
        }
    }

    private Instance start(CallLedger ledger, Servers servers) throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "sk-test");
        Files.writeString(folder.resolve("parley.yml"), ledger.settings(key) + """
              - { tool: file_write, action: ask }
            agents:
              - { name: default, model: openai/gpt-5 }
              - { name: asker, model: scripted/scripted }
              - { name: helper, model: scripted/scripted, description: Helps., mode: subagent }
            """);
        System.setProperty(LOCAL_DISPATCH, "false");
        try {
            return servers.start("one");
        } finally {
            System.clearProperty(LOCAL_DISPATCH);
        }
    }

    private static void talk(Api api, int session) {
        IntStream.range(0, TURNS).forEach(number -> say(api, session, number));
    }

    private static void say(Api api, int session, int number) {
        String text = text(session, number);
        assertEquals(text, api.say("twice:" + session, text).path("reply").asText());
    }

    private static String text(int session, int number) {
        return "answer s%d-%d".formatted(session, number);
    }

    private static void delegate(Api api) {
        Api.Answer answer = api.turn(
                "twice:child", Map.of("agent", "asker", "text", "!delegate helper !say helped\n!then\n!say it helped"));
        assertEquals("it helped", answer.json().path("reply").asText(), answer.text());
    }

    /** A call that needs approval; its answer is repeated, too. */
    private static void requestApproval(Api api) {
        api.post(
                "/v1/sessions/twice:asked/turns",
                Map.of(
                        "agent",
                        "asker",
                        "text",
                        "!call file_write {\"path\":\"/a.md\",\"content\":\"a\"}\n!then\n!say written"));
        JsonNode question = Awaitility.await()
                .atMost(SOON)
                .until(
                        () -> api.get("/v1/approvals?session=twice:asked")
                                .json()
                                .path("data")
                                .path(0),
                        found -> !found.isMissingNode());
        api.post("/v1/sessions/twice:asked/approvals/" + question.path("id").asText(), Map.of("answer", "once"));
        Awaitility.await().atMost(SOON).until(() -> replies(api, "twice:asked"), List.of("written")::equals);
        assertEquals(
                1, api.list("/v1/projects/default/files/versions?path=/a.md").size());
    }

    private static List<String> replies(Api api, String session) {
        return api.list("/v1/sessions/" + session + "/messages?role=assistant").stream()
                .flatMap(message -> message.path("parts").findValuesAsText("text").stream())
                .filter(text -> !text.isEmpty())
                .sorted()
                .toList();
    }

    private static List<String> facts(Api api, String bank) {
        return api.list(bank + "/units?type=world&fresh=true&limit=100").stream()
                .map(unit -> unit.path("text").asText())
                .sorted()
                .toList();
    }
}
