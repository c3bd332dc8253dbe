package dev.parley.server.workflow;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley workflow validate}: says what is wrong with definitions. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = "Says what is wrong with definitions, with line and column. 0 when all can run, else 1.")
final class WorkflowValidateCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "definitions in YAML or JSON")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        int failed = 0;
        for (Path file : files) {
            try {
                Workflow workflow = read(file);
                out.println(file + ": " + workflow.reference() + " can run");
                if (!workflow.needs().isEmpty()) {
                    out.println("  needs: " + String.join(", ", workflow.needs()));
                }
                workflow.warnings().forEach(warning -> out.println("  warning: " + warning));
            } catch (InvalidDefinitionException e) {
                failed = 1;
                err.println(file + ":");
                e.problems().forEach(problem -> err.println("  " + problem));
            } catch (IOException e) {
                failed = 1;
                err.println(file + " cannot be read: " + e.getMessage());
            }
        }
        out.flush();
        err.flush();
        return failed;
    }

    static Workflow read(Path file) throws IOException {
        return DefinitionReader.read(Files.readString(file));
    }
}
