package dev.parley.server.workflow;

import dev.parley.platform.outbound.TextDecoder;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.definition.YamlText;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.simulation.Case;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley workflow test}: runs a definition against recorded answers. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description =
                "Runs a definition against the recorded answers of calls and people, and compares what comes of it"
                        + " with what is expected. Nothing is called, and no time passes. Exit status: 0 when all cases"
                        + " pass, 1 otherwise.")
final class WorkflowTestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "a definition in YAML or JSON")
    private Path file = Path.of("workflow.yaml");

    @Option(
            names = "--cases",
            required = true,
            paramLabel = "CASES",
            description = "cases in JSON or YAML: {\"answers\": …, \"cases\": [{\"name\", \"input\", \"answers\","
                    + " \"expected\"}]}")
    private Path cases = Path.of("cases.json");

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            return run(spec.commandLine().getOut());
        } catch (InvalidDefinitionException | IllegalArgumentException e) {
            err.println(e.getMessage());
        } catch (IOException e) {
            err.println("A file cannot be read: " + e.getMessage());
        }
        err.flush();
        return 1;
    }

    private int run(PrintWriter out) throws IOException {
        Workflow workflow = WorkflowCliCommand.read(file);
        Json recorded = YamlText.of(TextDecoder.read(cases)).value();
        List<Case> testCases = Case.read(recorded);
        long failed = testCases.stream()
                .map(testCase -> testCase.run(workflow, recorded.get("answers")))
                .peek(verdict -> print(verdict, out))
                .filter(verdict -> !verdict.failures().isEmpty())
                .count();
        out.println((testCases.size() - failed) + " of " + testCases.size() + " cases are as expected.");
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    private static void print(Case.Verdict verdict, PrintWriter out) {
        var state = verdict.result().state();
        boolean passed = verdict.failures().isEmpty();
        out.println((passed ? "ok    " : "FAIL  ") + verdict.name() + ": "
                + state.phase().specificationName() + " after " + state.order() + " tasks");
        if (!passed) {
            verdict.failures().forEach(failure -> out.println("      " + failure));
            if (state.error() != null) {
                out.println("      error: " + state.error().toJson());
            }
            out.println("      path: " + String.join(" → ", verdict.result().begunTasks()));
        }
    }
}
