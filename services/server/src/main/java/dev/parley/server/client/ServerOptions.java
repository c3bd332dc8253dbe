package dev.parley.server.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
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

    /**
     * The server and the key to it.
     *
     * @throws CommandException when there is no key
     */
    public ServerConnection connection() {
        Object root = command.root().userObject();
        Path data = root instanceof RootCommand parley ? parley.config().data() : Path.of("data");
        return ServerConnection.find(url, key, data, System.getenv());
    }

    /** The requests of a command. */
    @FunctionalInterface
    public interface Work<C extends ApiClient> {
        /** @return the exit status of the command */
        int run(C client) throws IOException, InterruptedException;
    }

    /** Runs the requests of a command; returns its exit status, which is 1 after an error. Prints the error. */
    public int run(Work<ApiClient> work) throws InterruptedException {
        return run(ApiClient::new, "The connection broke", work);
    }

    /**
     * Runs requests with a client of their own.
     *
     * @param failure begins the message for an {@link IOException}
     * @return the exit status of the command; 1 after an error, which is printed
     */
    public <C extends ApiClient> int run(Function<ServerConnection, C> open, String failure, Work<C> work)
            throws InterruptedException {
        CommandLine line = command.commandLine();
        try (C client = open.apply(connection())) {
            return work.run(client);
        } catch (IOException e) {
            line.getErr().println(failure + ": " + e.getMessage());
        } catch (RuntimeException e) {
            line.getErr().println(e.getMessage());
        } finally {
            line.getOut().flush();
            line.getErr().flush();
        }
        return 1;
    }
}
