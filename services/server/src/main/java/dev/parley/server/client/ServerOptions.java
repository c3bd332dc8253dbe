package dev.parley.server.client;

import dev.parley.server.Parley;
import dev.parley.server.client.Connection;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The options that select a server: an explicit one, else the one that runs on the data folder. */
public final class ServerOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "the server, instead of the one on the data folder")
    private @Nullable String url;

    @Option(
            names = "--key",
            scope = ScopeType.INHERIT,
            paramLabel = "KEY",
            description = "the key, instead of the one in the data folder")
    private @Nullable String key;

    /** The server and the key to it. @throws dev.parley.server.chat.ChatException when no key is to be found */
    public Connection connection() {
        Object root = command.root().userObject();
        Path data = root instanceof Parley parley ? parley.config().data() : Path.of("data");
        return Connection.find(url, key, data, System.getenv());
    }

    /** What is done with a server. */
    @FunctionalInterface
    public interface Work {
        /** @return the status of the command */
        int with(ApiClient client) throws IOException, InterruptedException;
    }

    /** Does something with the server. @return its status; 1 where the server refuses or cannot be reached, which is said */
    public int with(Work work) throws InterruptedException {
        CommandLine line = command.commandLine();
        try (var client = new ApiClient(connection())) {
            return work.with(client);
        } catch (IOException e) {
            line.getErr().println("The connection broke: " + e.getMessage());
        } catch (RuntimeException e) {
            line.getErr().println(e.getMessage());
        } finally {
            line.getOut().flush();
            line.getErr().flush();
        }
        return 1;
    }
}
