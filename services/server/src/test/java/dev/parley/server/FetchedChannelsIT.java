package dev.parley.server;

import dev.parley.server.ChannelContract.Whole;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Channels to which nothing is sent, because they fetch: they share one process. */
class FetchedChannelsIT {
    private static Whole whole;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        whole = Whole.start(folder, "agents: [{ name: default, options: { models: scripted/other } }]");
    }

    @AfterAll
    static void stop() {
        whole.close();
    }

    static Whole whole() {
        return whole;
    }

    @Nested
    class Web extends WebChannel {}

    @Nested
    class Socket extends SocketSessions {}

    @Nested
    class Terminal extends TerminalChannel {}
}
