package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.Api.Answer;
import dev.parley.sessions.projection.Projector;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live state of sessions without views: two processes share the sessions, and the projector is stopped. */
class LiveIT {
    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance whole;
    private static Instance second;
    private static Api api;
    private static Api secondApi;

    @BeforeAll
    static void start() {
        servers = new Servers(folder);
        whole = servers.start("live-1");
        whole.beans().getBean(Projector.class).close();
        Map<String, String> environment = servers.environment("live-2", 2);
        environment.put("PARLEY_ROLES", "agents");
        second = Instances.start(environment);
        api = Api.of(whole);
        secondApi = Api.of(second);
    }

    @AfterAll
    static void stop() {
        second.close();
        whole.close();
        servers.close();
    }

    @Test
    @Tag("O8")
    void showsARunningTurnWithoutTheProjector() {
        // Given
        String turn = api.submit("live:run", "!call echo {\"text\":\"x\"}\n!then\n!delay 60s\n!say late", "1")
                .json()
                .get("id")
                .asText();
        api.submit("live:run", "!say second", "2");
        Awaitility.await()
                .until(() -> live("live:run").json().at("/active/step").asInt() == 1);

        // When
        JsonNode live = live("live:run").json();

        // Then
        assertEquals(turn, live.at("/active/turn/id").asText());
        assertEquals("RUNNING_MODEL", live.at("/active/turn/state").asText());
        assertEquals("model", live.at("/active/calls/0/kind").asText());
        assertEquals(1, live.at("/active/calls").size());
        assertEquals("!say second", live.at("/queue/0/text").asText());
        assertEquals("active", live.at("/status").asText());
        assertTrue(live.get("lastSeq").asLong() > 3, live.toString());
        assertEquals(404, api.get("/v1/sessions/live:run").status(), "no view has it");

        // When
        api.delete("/v1/sessions/live:run/run");

        // Then
        Awaitility.await().until(() -> live("live:run").json().at("/active").isNull());
    }

    @Test
    void hidesUnknownAndDeletedSessionsAndRejectsAWrongKey() {
        // Given
        api.say("live:gone", "!say hello");

        // When
        api.delete("/v1/sessions/live:gone");

        // Then
        Awaitility.await().until(() -> live("live:gone").status() == 404);
        assertEquals("unknown_session", live("live:never").json().get("code").asText());
        assertEquals(
                401,
                new Api(api.url(), "wrong-key-wrong-key")
                        .get("/v1/sessions/live:never/live")
                        .status());
    }

    @Test
    void everyProcessNamesTheOwnerOfASession() {
        // Given
        List<String> keys =
                IntStream.range(0, 8).mapToObj(i -> "live:share" + i).toList();
        keys.forEach(key -> api.say(key, "!say hello"));

        // Then both processes own some, once the partitions are balanced
        Awaitility.await()
                .untilAsserted(() -> assertEquals(
                        Set.of("live-1", "live-2"),
                        keys.stream().map(LiveIT::owner).collect(Collectors.toSet())));
    }

    /** The owner of the session, according to both processes. */
    private static String owner(String key) {
        Answer response = api.get("/v1/sessions/" + key + "/live");
        Answer otherResponse = secondApi.get("/v1/projects/default/sessions/" + key + "/live");
        var statuses = new HashSet<>(List.of(response.status(), otherResponse.status()));
        assertEquals(Set.of(200, 421), statuses, response.text() + otherResponse.text());
        Answer misdirected = response.status() == 200 ? otherResponse : response;
        String owner = response.status() == 200 ? "live-1" : "live-2";
        assertTrue(misdirected.json().get("detail").asText().contains("'" + owner + "'"), misdirected.text());
        return owner;
    }

    /** The response of the owner of the session, once there is one. */
    private static Answer live(String key) {
        var found = new AtomicReference<Answer>();
        Awaitility.await()
                .until(() -> Stream.of(api, secondApi)
                        .map(process -> process.get("/v1/sessions/" + key + "/live"))
                        .filter(answer -> answer.status() != 421 && answer.status() != 503)
                        .findFirst()
                        .map(answer -> {
                            found.set(answer);
                            return true;
                        })
                        .orElse(false));
        return found.get();
    }
}
