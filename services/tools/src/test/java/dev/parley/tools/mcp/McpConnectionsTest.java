package dev.parley.tools.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.PowerGrants;
import dev.parley.tools.kind.Calls;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.mcp.McpTransport.UnsentException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Four servers at once, three of one host. */
class McpConnectionsTest {
    private final UUID firstHost = UUID.randomUUID();
    private final UUID secondHost = UUID.randomUUID();
    private final UUID project = UUID.randomUUID();
    private final Outbound outbound = new Outbound(ToolsConfig.NONE, PowerGrants.NONE, new Secrets(Map.of(), Set.of()));
    private final McpConnections connections = new McpConnections(outbound, 4);

    @AfterEach
    void close() {
        connections.close();
        outbound.close();
    }

    private McpConnection use(UUID host, int server) throws IOException, InterruptedException {
        return connections.use(host, project, CatalogueScope.INSTALLATION, server(server), connection -> connection);
    }

    /** Does some work while the servers up to this number are in use. */
    private void using(UUID host, int servers, Work meanwhile) throws IOException, InterruptedException {
        connections.use(host, project, CatalogueScope.INSTALLATION, server(servers), connection -> {
            if (servers == 1) {
                meanwhile.run();
            } else {
                using(host, servers - 1, meanwhile);
            }
            return connection;
        });
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static McpServerAddress server(int number) {
        var definition = Calls.json("{'server':{'url':'https://mcp.example.com/%d'}}".formatted(number));
        return McpServerAddress.of(DefinitionFields.of(definition, "server"), Optional.of("no"));
    }

    private String refusal(UUID host, int server) {
        return String.valueOf(
                assertThrows(UnsentException.class, () -> use(host, server)).getMessage());
    }

    @Test
    @Tag("A18")
    void limitsTheConnectionsOfAHost() throws Exception {
        using(firstHost, 3, () -> {
            assertEquals("too many MCP servers of this host are in use; try again later", refusal(firstHost, 4));
            assertSame(use(firstHost, 3), use(firstHost, 3), "what it has it may use");
            using(secondHost, 1, () -> {
                assertEquals("too many MCP servers are in use; try again later", refusal(secondHost, 2));
            });
        });

        use(firstHost, 4);
    }

    @Test
    void hostAtItsLimitClosesItsOwnOldestConnection() throws Exception {
        McpConnection ofOtherHost = use(secondHost, 1);
        McpConnection first = use(firstHost, 1);
        McpConnection second = use(firstHost, 2);
        use(firstHost, 3);

        use(firstHost, 4);

        assertSame(ofOtherHost, use(secondHost, 1));
        assertSame(second, use(firstHost, 2));
        assertNotSame(first, use(firstHost, 1));
    }

    @Test
    void hostBelowItsLimitTakesOverAnIdleConnection() throws Exception {
        use(firstHost, 1);
        McpConnection second = use(firstHost, 2);
        use(firstHost, 3);
        use(secondHost, 1);

        use(secondHost, 2);

        assertSame(second, use(firstHost, 2));
    }
}
