package dev.parley.server.apply;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.apply.DefinitionClient.Existing;
import dev.parley.server.apply.Plan.Step;
import dev.parley.server.client.CommandException;
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
            var files = new LinkedHashMap<DefinitionKind, Map<String, DefinitionFile>>();
            for (DefinitionKind kind : DefinitionFile.kinds(folder)) {
                files.put(kind, DefinitionFile.in(folder, kind));
            }
            if (project != null && files.containsKey(DefinitionKind.ENDPOINT)) {
                throw new CommandException("Endpoints are the host's: apply " + folder + " without --project.");
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
    private record KindPlan(
            DefinitionKind kind, Map<String, DefinitionFile> files, Map<String, Existing> existing, Plan plan) {}

    private int apply(DefinitionClient client, Map<DefinitionKind, Map<String, DefinitionFile>> files, PrintWriter out)
            throws IOException, InterruptedException {
        List<KindPlan> plans = plan(client, files);
        plans.forEach(plan -> out.print(plan.plan().text()));
        if (plans.stream().allMatch(plan -> plan.plan().isEmpty())) {
            out.println("Nothing to do.");
            out.flush();
            return 0;
        }
        if (!yes && !isConfirmed(out)) {
            out.println("Nothing was changed.");
            out.flush();
            return 1;
        }
        applyAll(client, plans, out);
        out.println("Done.");
        out.flush();
        return 0;
    }

    /** Applies the steps in order. When one fails it prints those that were applied before. */
    private static void applyAll(DefinitionClient client, List<KindPlan> plans, PrintWriter out)
            throws IOException, InterruptedException {
        var applied = new StringBuilder();
        try {
            for (KindPlan plan : plans) {
                for (Step step : plan.plan().changes()) {
                    apply(client, step, plan);
                    applied.append(step.line());
                }
            }
        } catch (IOException | RuntimeException e) {
            out.print(applied.isEmpty() ? "Nothing was changed.\n" : "Stopped; changed by then:\n" + applied);
            out.flush();
            throw e;
        }
    }

    /**
     * The plans of all kinds.
     *
     * @throws CommandException with all errors, each with its file
     */
    private List<KindPlan> plan(DefinitionClient client, Map<DefinitionKind, Map<String, DefinitionFile>> files)
            throws IOException, InterruptedException {
        var plans = new ArrayList<KindPlan>();
        List<String> errors = new ArrayList<>();
        for (var entry : files.entrySet()) {
            Map<String, Existing> existing = client.existing(entry.getKey(), entry.getValue());
            var before = new TreeMap<String, JsonNode>();
            existing.forEach((label, definition) -> before.put(label, definition.body()));
            Plan plan = Plan.of(before, previews(client, entry.getValue(), existing, errors), prune);
            plans.add(new KindPlan(entry.getKey(), entry.getValue(), existing, plan));
        }
        if (!errors.isEmpty()) {
            throw new CommandException(String.join("\n", errors));
        }
        return plans;
    }

    /** The definitions that would result, by label. */
    private static Map<String, JsonNode> previews(
            DefinitionClient client,
            Map<String, DefinitionFile> files,
            Map<String, Existing> existing,
            List<String> errors)
            throws IOException, InterruptedException {
        var previews = new TreeMap<String, JsonNode>();
        for (DefinitionFile file : files.values()) {
            try {
                previews.put(file.label(), client.preview(file, existing.get(file.label())));
            } catch (CommandException e) {
                if (e.status() != 400) {
                    throw e;
                }
                errors.add(file.at(e.getMessage()) + ": " + e.getMessage());
            }
        }
        return previews;
    }

    private static boolean isConfirmed(PrintWriter out) throws IOException {
        out.print("Apply this? [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().matches("(?i)y(es)?");
    }

    private static void apply(DefinitionClient client, Step step, KindPlan plan)
            throws IOException, InterruptedException {
        String label = step.name();
        Existing before = plan.existing().get(label);
        switch (step) {
            case Step.Keep _ -> {}
            case Step.Remove _ -> client.delete(plan.kind(), Objects.requireNonNull(before));
            case Step.Add _, Step.Change _ ->
                client.apply(Objects.requireNonNull(plan.files().get(label)), before);
        }
    }
}
