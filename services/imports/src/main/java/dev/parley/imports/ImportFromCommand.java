package dev.parley.imports;

import dev.parley.server.Program;
import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley import-from}: imports data from the databases of other systems. */
@Command(
        name = "import-from",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "SYSTEM",
        description =
                "Imports sessions, agents, tools, skills and memory from the database of another system, which is only read."
                        + " A repeated import changes nothing. Secrets are never imported. docs/moving-in.md lists what is"
                        + " imported from which system. Requires a running server.",
        subcommands = {
            ImportFromCommand.Pingu.class,
            ImportFromCommand.Iris.class,
            ImportFromCommand.Ikigai.class,
            ImportFromCommand.LightFabric.class
        })
public final class ImportFromCommand implements Program {
    private static final String ENDS = " Exit status: 0 when all that can be imported is there, 1 otherwise.";

    /** An import: its server, its destination and its report. */
    abstract static class Import implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Mixin
        private ServerOptions server;

        @Option(
                names = "--project",
                paramLabel = "KEY",
                description = "project to import into, instead of the default one")
        private String project = "default";

        @Option(
                names = "--dry-run",
                description = "reads everything and reports what would be created, without creating it")
        private boolean dry;

        @Option(names = "--report", paramLabel = "FILE", description = "writes the report to a file, as JSON")
        private @Nullable Path file;

        /** Imports from a source and prints a report; returns 0, or 1 where something could not be imported. */
        int run(ImportSource source, String location) throws InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter err = spec.commandLine().getErr();
            var report = new Report(source.system() + " " + location, dry);
            boolean failed = true;
            try (var writer = new ImportWriter(new ImportClient(server.connection()), project, report, dry)) {
                source.read(writer);
                writer.finish();
                failed = report.isRefused();
            } catch (SQLException e) {
                err.println("The database cannot be read further: " + e.getMessage());
            } catch (IOException e) {
                err.println("The connection broke: " + e.getMessage() + ". Import again: imported data stays.");
            } catch (RuntimeException e) {
                err.println(e.getMessage());
            }
            return finish(report, out, err, failed);
        }

        private int finish(Report report, PrintWriter out, PrintWriter err, boolean failed) {
            report.print(out);
            if (file != null) {
                try {
                    report.write(file);
                } catch (CommandException e) {
                    err.println(e.getMessage());
                    return 1;
                }
            }
            return failed ? 1 : 0;
        }
    }

    /** Connection options of a Postgres database. */
    static final class Login {
        @Parameters(
                paramLabel = "JDBC-URL",
                description = "jdbc:postgresql://HOST:PORT/DATABASE, with ?currentSchema=NAME for another schema")
        private String url = "";

        @Option(names = "--source-user", paramLabel = "NAME", description = "user of that database")
        private @Nullable String user;

        @Option(
                names = "--source-password-env",
                paramLabel = "VARIABLE",
                description = "environment variable with its password (${DEFAULT-VALUE})")
        private String variable = "PARLEY_SOURCE_PASSWORD";

        SourceDatabase open(String system) {
            return SourceDatabase.postgres(system, url, user, System.getenv(variable));
        }

        /** The URL without parameters, which may hold secrets. */
        String location() {
            return url.replaceFirst("\\?.*", "");
        }
    }

    /** From Pingu. */
    @Command(
            name = "pingu",
            mixinStandardHelpOptions = true,
            description = "From pingu.db: sessions with their turns, and memories." + ENDS)
    static final class Pingu extends Import {
        @Parameters(paramLabel = "FILE", description = "pingu.db")
        private Path path = Path.of("");

        @Override
        public Integer call() throws InterruptedException {
            return run(new PinguSource(path), path.toString());
        }
    }

    /** From Iris. */
    @Command(
            name = "iris",
            mixinStandardHelpOptions = true,
            description =
                    "From a folder with iris.db and projects/*/project.db, each project into one of its own; or from one"
                            + " project.db." + ENDS)
    static final class Iris extends Import {
        @Parameters(paramLabel = "DIR", description = "the folder, or one project.db")
        private Path path = Path.of("");

        @Override
        public Integer call() throws InterruptedException {
            return run(new IrisSource(path), path.toString());
        }
    }

    /** From ikigai. */
    @Command(
            name = "ikigai",
            mixinStandardHelpOptions = true,
            description = "From the database of ikigai: its agents, each as a session." + ENDS)
    static final class Ikigai extends Import {
        @Mixin
        private Login login;

        @Override
        public Integer call() throws InterruptedException {
            return run(new IkigaiSource(() -> login.open("ikigai")), login.location());
        }
    }

    /** From Light-Fabric. */
    @Command(
            name = "light-fabric",
            mixinStandardHelpOptions = true,
            description =
                    "From the database of Light-Fabric: tools, skills, agents, memory and sessions of one host." + ENDS)
    static final class LightFabric extends Import {
        @Mixin
        private Login login;

        @Option(names = "--host", paramLabel = "ID", description = "host_id to import, where there are several")
        private @Nullable String host;

        @Option(
                names = "--user",
                paramLabel = "ID",
                description = "user_id whose memory banks, with their sessions, become the importing user's;"
                        + " without it user banks are not imported")
        private @Nullable String user;

        @Override
        public Integer call() throws InterruptedException {
            return run(new LightFabricSource(() -> login.open("Light-Fabric"), host, user), login.location());
        }
    }
}
