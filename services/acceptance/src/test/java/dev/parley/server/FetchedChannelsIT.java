package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.platform.testkit.PluginJar;
import dev.parley.server.ChannelContract.Whole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Channels that are polled by clients, and one of a plug-in, in one process. */
class FetchedChannelsIT {
    private static final Path SAMPLE = Path.of("../../deploy/samples/channel");

    private static Whole whole;
    private static Path desk;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        desk = Files.createDirectory(folder.resolve("desk"));
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        PluginJar.ofSample(plugins.resolve("folder.jar"), SAMPLE, ChannelPlugin.class);
        Files.writeString(plugins.resolve("broken.jar"), "no jar");
        whole = Whole.start(folder, """
                agents: [{ name: default, options: { models: scripted/other } }]
                plugins: "%1$s/plugins"
                bots:
                  - { kind: folder, name: desk, allowAll: true, settings: { path: "%1$s/desk" } }
                  - { kind: slak, name: lost, allowAll: true }
                """.formatted(folder));
    }

    @AfterAll
    static void stop() {
        whole.close();
    }

    static Whole whole() {
        return whole;
    }

    /** The folder of the bot {@code desk}. */
    static Path desk() {
        return desk;
    }

    @Nested
    class Web extends WebChannel {}

    @Nested
    class Socket extends SocketSessions {}

    @Nested
    class Terminal extends TerminalChannel {}

    /** The sample of a plug-in. */
    @Nested
    class Plugin extends FolderChannel {}

    @Test
    @Tag("A26")
    void botOfAMissingPlugInReportsTheKindsAndBlocksNothing() {
        // Then
        Awaitility.await()
                .atMost(ChannelContract.SOON)
                .until(() -> bot("lost").path("problem").isTextual());

        assertEquals(
                "no plug-in provides the kind 'slak'; available kinds: discord, folder, slack, teams, telegram, webhook, whatsapp; broken: broken.jar",
                bot("lost").path("problem").asText());
        Awaitility.await()
                .atMost(ChannelContract.SOON)
                .until(() -> bot("desk").path("owner").isTextual());
        assertFalse(bot("desk").path("problem").isTextual());
        Awaitility.await()
                .atMost(ChannelContract.SOON)
                .until(() -> whole.api().get("/health/ready").status() == 200);
    }

    private static JsonNode bot(String name) {
        return whole.api()
                .get("/v1/bots")
                .json()
                .path("data")
                .valueStream()
                .filter(bot -> bot.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
