package dev.parley.server.workflow;

import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.diagram.Mermaid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley workflow diagram}: draws a definition. */
@Command(
        name = "diagram",
        mixinStandardHelpOptions = true,
        description = "Prints a definition as a flowchart of Mermaid, which Markdown pages of GitHub and others show.")
final class WorkflowDiagramCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "a definition in YAML or JSON")
    private Path file = Path.of("workflow.yaml");

    @Override
    public Integer call() {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        try {
            out.print(Mermaid.of(WorkflowValidateCommand.read(file)));
            out.flush();
            return 0;
        } catch (InvalidDefinitionException e) {
            err.println(e.getMessage());
        } catch (IOException e) {
            err.println(file + " cannot be read: " + e.getMessage());
        }
        err.flush();
        return 1;
    }
}
