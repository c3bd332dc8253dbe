package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.Parley;
import dev.parley.server.apply.AgentClient.Present;
import dev.parley.server.apply.Plan.Step;
import dev.parley.server.chat.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley apply}: makes agents what a folder says. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description = "Makes the agents of a project, or without --project of the host, what FOLDER/agents/*.yaml say."
                + " Shows first what would change (+ new, ~ changed, = as it is, - removed) and asks. All files are checked"
                + " before anything is changed. 0 when all is as the files say, else 1.")
public final class ApplyCommand implements Callable<Integer> {
    @ParentCommand
    private @Nullable Parley parent;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FOLDER", description = "with a folder agents in it")
    private Path folder = Path.of(".");

    @Option(names = "--project", paramLabel = "KEY", description = "the project, instead of the host")
    private @Nullable String project;

    @Option(names = "--prune", description = "removes agents that no file defines; without it they stay")
    private boolean prune;

    @Option(names = "--yes", description = "does not ask")
    private boolean yes;

    @Option(names = "--url", paramLabel = "URL", description = "the server, instead of the one on the data folder")
    private @Nullable String url;

    @Option(names = "--key", paramLabel = "KEY", description = "the key, instead of the one in the data folder")
    private @Nullable String key;

    /** Made by the command line. */
    public ApplyCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        Path data = parent == null ? Path.of("data") : parent.config().data();
        try {
            Map<String, AgentFile> files = AgentFile.in(folder);
            try (var client = new AgentClient(Connection.find(url, key, data, System.getenv()), project)) {
                return apply(client, files, out);
            }
        } catch (IOException e) {
            err.println("The connection broke: " + e.getMessage());
        } catch (RuntimeException e) {
            err.println(e.getMessage());
        }
        return 1;
    }

    private int apply(AgentClient client, Map<String, AgentFile> files, PrintWriter out)
            throws IOException, InterruptedException {
        Map<String, Present> present = client.present();
        var before = new TreeMap<String, JsonNode>();
        present.forEach((name, one) -> before.put(name, one.agent()));
        Plan plan = Plan.of(before, checked(client, files, present), prune);
        out.print(plan.text());
        if (plan.isDone()) {
            out.println("Nothing to do.");
            out.flush();
            return 0;
        }
        if (!yes && !isWanted(out)) {
            out.println("Nothing was changed.");
            out.flush();
            return 1;
        }
        for (Step step : plan.steps()) {
            carryOut(client, step, files, present);
        }
        out.println("Done.");
        out.flush();
        return 0;
    }

    /** How the agents would be. @throws ApplyException with all that is wrong, each with its file */
    private static Map<String, JsonNode> checked(
            AgentClient client, Map<String, AgentFile> files, Map<String, Present> present)
            throws IOException, InterruptedException {
        var wanted = new TreeMap<String, JsonNode>();
        List<String> faults = new ArrayList<>();
        for (AgentFile file : files.values()) {
            try {
                wanted.put(file.name(), client.checked(file.body(), present.get(file.name())));
            } catch (ApplyException e) {
                if (e.status() != 400) {
                    throw e;
                }
                faults.add(file.at(e.getMessage()) + ": " + e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw new ApplyException(String.join("\n", faults));
        }
        return wanted;
    }

    private static boolean isWanted(PrintWriter out) throws IOException {
        out.print("Apply this? [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().matches("(?i)y(es)?");
    }

    private static void carryOut(
            AgentClient client, Step step, Map<String, AgentFile> files, Map<String, Present> present)
            throws IOException, InterruptedException {
        String name = step.name();
        Present before = present.get(name);
        switch (step) {
            case Step.Keep _ -> {} // as it is wanted
            case Step.Remove _ -> client.delete(name, Objects.requireNonNull(before));
            case Step.Add _, Step.Change _ ->
                client.apply(Objects.requireNonNull(files.get(name)).body(), before);
        }
    }
}
