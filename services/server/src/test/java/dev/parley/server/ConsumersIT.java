package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.ConfigReader;
import dev.parley.platform.testkit.TcpProxy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Programs beside a running process: the canary. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsumersIT {
    private static final String NAME = "consumed";

    @TempDir
    static Path folder;

    private static Servers servers;
    private static Instance instance;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("parley.yml"), "");
        servers = new Servers(folder);
        instance = Instance.start(ConfigReader.read(servers.environment(NAME, 2)));
        api = new Api(instance.url(), Servers.KEY);
    }

    @AfterAll
    static void stop() {
        instance.close();
        servers.close();
    }

    @Test
    @Order(1)
    @Tag("O30")
    void aCanaryIsAnsweredThoughItsConnectionBreaks() {
        try (var network = new TcpProxy(URI.create(instance.url()).getPort())) {
            // Given
            network.cutAfter("event: started");
            var out = new StringWriter();
            var err = new StringWriter();

            // When
            int status = Parley.commandLine(
                            Map.of("PARLEY_CONFIG", folder.resolve("none.yml").toString()))
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(("canary --turns 6 --turns-per-session 3 --pause 0s --key " + Servers.KEY
                                    + " --url http://127.0.0.1:" + network.port())
                            .split(" "));

            // Then
            assertEquals(0, status, out + "\n" + err);
            assertTrue(out.toString().contains("6 answered, 0 lost, 0 duplicate"), out.toString());
            assertTrue(network.hasCut(), "a stream of events was cut");
        }
        Awaitility.await()
                .until(() -> api.list("/v1/sessions?includeDeleted=true").stream()
                        .noneMatch(session -> session.path("key").asText().startsWith("canary:")));
    }

}
