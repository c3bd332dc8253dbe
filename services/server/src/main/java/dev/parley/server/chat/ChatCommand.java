package dev.parley.server.chat;

import dev.parley.server.Parley;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code parley chat}: talks to an agent in the terminal. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        description = "Talks to an agent in the terminal. Finds the server of this data folder by itself.")
public final class ChatCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @ParentCommand
    private @Nullable Parley parent;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "the server, instead of the one that runs on the data folder")
    private @Nullable String url;

    @Option(names = "--key", paramLabel = "KEY", description = "the key, instead of the one in the data folder")
    private @Nullable String key;

    @Option(names = "--session", paramLabel = "KEY", description = "the session, instead of cli:USER")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "the agent, instead of the session's")
    private @Nullable String agent;

    @Option(
            names = "--once",
            paramLabel = "TEXT",
            description = "says this, prints the reply and ends: 0 when it completed, else 1")
    private @Nullable String once;

    @Option(names = "--json", description = "prints each event as a line of JSON")
    private boolean json;

    /** Made by the command line. */
    public ChatCommand() {}

    /** Runs it with these arguments: 0 done, 1 failed, 2 wrongly called. */
    public static int run(String[] args) {
        return new CommandLine(new ChatCommand()).execute(args);
    }

    @Override
    public Integer call() {
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Path data = parent == null ? Path.of("data") : parent.config().data();
        try (var client = new ChatClient(Connection.find(url, key, data, System.getenv()))) {
            String name = session == null ? "cli:" + user() : session;
            var conversation = new ChatSession(client, name, agent, err::println);
            return once == null ? talk(client, conversation, data) : sayOnce(conversation, once);
        } catch (ChatException e) {
            err.println(e.getMessage());
            return 1;
        } catch (IOException e) {
            err.println("The terminal cannot be used: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return INTERRUPTED; // the second Ctrl-C
        }
    }

    private static String user() {
        return System.getProperty("user.name", "me").replaceAll("[\\s/#\\p{Cntrl}]", "_");
    }

    private int sayOnce(ChatSession conversation, String text) throws InterruptedException {
        var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        var screen = new ChatScreen(out, false, json);
        String state = conversation.say(text, event -> {
            if (json || event.name().equals("done") || event.name().equals("error")) {
                screen.show(event);
            }
        });
        return state.equals("COMPLETED") ? 0 : 1;
    }

    private int talk(ChatClient client, ChatSession conversation, Path data) throws IOException, InterruptedException {
        if (System.console() == null || !System.console().isTerminal()) {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
            return ChatLoop.plain(in, out, client, conversation, json).run();
        }
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).dumb(true).build()) {
            return ChatLoop.interactive(terminal, client, conversation, data.resolve("chat-history"), json)
                    .run();
        }
    }
}
