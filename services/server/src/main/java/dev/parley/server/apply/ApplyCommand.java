package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.apply.DefinitionClient.Present;
import dev.parley.server.apply.Plan.Step;
import dev.parley.server.client.ServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley apply}: creates and updates definitions from the files of a folder. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description =
                "Creates or updates agents, skills, tools and workflows from FOLDER; shows a plan and asks for confirmation."
                        + " Reads FOLDER/agents/*.yaml, FOLDER/skills/*/SKILL.md, FOLDER/tools/*.yaml and FOLDER/workflows/*.yaml"
                        + " into a project, or without --project into the host, and FOLDER/endpoints/*.yaml into the host."
                        + " The plan marks definitions as + new, ~ changed, = unchanged or - removed. All files are checked"
                        + " before anything is changed. Exit status: 0 on success, 1 otherwise.")
public final class ApplyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "FOLDER",
            description = "folder with some of agents, skills, tools, workflows and endpoints in it")
    private Path folder = Path.of(".");

    @Option(names = "--project", paramLabel = "KEY", description = "the project, instead of the host")
    private @Nullable String project;

    @Option(names = "--prune", description = "removes definitions without a file, of the kinds that have a folder")
    private boolean prune;

    @Option(names = "--yes", description = "applies the plan without confirmation")
    private boolean yes;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            var files = new LinkedHashMap<Kind, Map<String, DefinitionFile>>();
            for (Kind kind : DefinitionFile.kinds(folder)) {
                files.put(kind, DefinitionFile.in(folder, kind));
            }
            if (project != null && files.containsKey(Kind.ENDPOINT)) {
                throw new ApplyException("Endpoints are the host's: apply " + folder + " without --project.");
            }
            try (var client = new DefinitionClient(server.connection(), project)) {
                return apply(client, files, out);
            }
        } catch (IOException e) {
            err.println("The connection broke: " + e.getMessage());
        } catch (RuntimeException e) {
            err.println(e.getMessage());
        }
        return 1;
    }

    /** The plan for the definitions of a kind. */
    private record Work(Kind kind, Map<String, DefinitionFile> files, Map<String, Present> present, Plan plan) {}

    private int apply(DefinitionClient client, Map<Kind, Map<String, DefinitionFile>> files, PrintWriter out)
            throws IOException, InterruptedException {
        List<Work> all = planned(client, files);
        all.forEach(work -> out.print(work.plan().text()));
        if (all.stream().allMatch(work -> work.plan().isDone())) {
            out.println("Nothing to do.");
            out.flush();
            return 0;
        }
        if (!yes && !isWanted(out)) {
            out.println("Nothing was changed.");
            out.flush();
            return 1;
        }
        carryOut(client, all, out);
        out.println("Done.");
        out.flush();
        return 0;
    }

    /** Carries out the steps in order. Where one fails it prints those that were done by then. */
    private static void carryOut(DefinitionClient client, List<Work> all, PrintWriter out)
            throws IOException, InterruptedException {
        var done = new StringBuilder();
        try {
            for (Work work : all) {
                for (Step step : work.plan().changes()) {
                    carryOut(client, step, work);
                    done.append(step.line());
                }
            }
        } catch (IOException | RuntimeException e) {
            out.print(done.isEmpty() ? "Nothing was changed.\n" : "Stopped; changed by then:\n" + done);
            out.flush();
            throw e;
        }
    }

    /** The plans of all kinds. @throws ApplyException with all faults, each with its file */
    private List<Work> planned(DefinitionClient client, Map<Kind, Map<String, DefinitionFile>> files)
            throws IOException, InterruptedException {
        var all = new ArrayList<Work>();
        List<String> faults = new ArrayList<>();
        for (var one : files.entrySet()) {
            Map<String, Present> present = client.present(one.getKey(), one.getValue());
            var before = new TreeMap<String, JsonNode>();
            present.forEach((label, there) -> before.put(label, there.body()));
            Plan plan = Plan.of(before, checked(client, one.getValue(), present, faults), prune);
            all.add(new Work(one.getKey(), one.getValue(), present, plan));
        }
        if (!faults.isEmpty()) {
            throw new ApplyException(String.join("\n", faults));
        }
        return all;
    }

    /** The definitions that would result, by label. */
    private static Map<String, JsonNode> checked(
            DefinitionClient client,
            Map<String, DefinitionFile> files,
            Map<String, Present> present,
            List<String> faults)
            throws IOException, InterruptedException {
        var wanted = new TreeMap<String, JsonNode>();
        for (DefinitionFile file : files.values()) {
            try {
                wanted.put(file.label(), client.checked(file, present.get(file.label())));
            } catch (ApplyException e) {
                if (e.status() != 400) {
                    throw e;
                }
                faults.add(file.at(e.getMessage()) + ": " + e.getMessage());
            }
        }
        return wanted;
    }

    private static boolean isWanted(PrintWriter out) throws IOException {
        out.print("Apply this? [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().matches("(?i)y(es)?");
    }

    private static void carryOut(DefinitionClient client, Step step, Work work)
            throws IOException, InterruptedException {
        String label = step.name();
        Present before = work.present().get(label);
        switch (step) {
            case Step.Keep _ -> {}
            case Step.Remove _ -> client.delete(work.kind(), Objects.requireNonNull(before));
            case Step.Add _, Step.Change _ ->
                client.apply(Objects.requireNonNull(work.files().get(label)), before);
        }
    }
}
