package dev.parley.server.movingin;

import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley import-from}: takes what other systems keep in their databases. */
@Command(
        name = "import-from",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "SYSTEM",
        description =
                "Takes sessions, agents, tools, skills and memory from the database of another system, which is read and not"
                        + " changed. To import the same again changes nothing. Secrets are never taken. docs/moving-in.md says what is"
                        + " taken of which system, and what is not. Needs a server that runs.",
        subcommands = {
            ImportFromCommand.Pingu.class,
            ImportFromCommand.Iris.class,
            ImportFromCommand.Ikigai.class,
            ImportFromCommand.LightFabric.class
        })
public final class ImportFromCommand {
    private static final String ENDS = " 0 when all is here that can be taken, else 1.";

    /** Made by the command line. */
    public ImportFromCommand() {}

    /** Where it goes, and how that is told. */
    static final class Options {
        @Spec(Spec.Target.MIXEE)
        private @Nullable CommandSpec spec;

        @Option(
                names = "--project",
                paramLabel = "KEY",
                description = "the project that it comes into, instead of the default one")
        private String project = "default";

        @Option(
                names = "--dry-run",
                description =
                        "reads everything, asks the server what is there, says what would be made, and makes nothing")
        private boolean dry;

        @Option(names = "--report", paramLabel = "FILE", description = "writes what became of it to a file, as JSON")
        private @Nullable Path file;

        /** What it is, what was read and what became of it. @return 0, or 1 where something is not here that should be */
        int run(Source source, String where, ServerOptions server) throws InterruptedException {
            PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
            PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
            var report = new Report(source.system() + " " + where, dry);
            boolean failed = true;
            try (var writer = new ImportWriter(new ImportClient(server.connection()), project, report, dry)) {
                source.read(writer);
                writer.finish();
                failed = report.isRefused();
            } catch (SQLException e) {
                err.println("The database cannot be read further: " + e.getMessage());
            } catch (IOException e) {
                err.println("The connection broke: " + e.getMessage() + ". Import again: what is here stays.");
            } catch (RuntimeException e) {
                err.println(e.getMessage());
            }
            return tell(report, out, err, failed);
        }

        private int tell(Report report, PrintWriter out, PrintWriter err, boolean failed) {
            report.print(out);
            if (file != null) {
                try {
                    report.write(file);
                } catch (MovingInException e) {
                    err.println(e.getMessage());
                    return 1;
                }
            }
            return failed ? 1 : 0;
        }
    }

    /** How to get into a database of Postgres. */
    static final class Login {
        @Parameters(
                paramLabel = "JDBC-URL",
                description = "jdbc:postgresql://HOST:PORT/DATABASE, with ?currentSchema=NAME for another schema")
        private String url = "";

        @Option(names = "--source-user", paramLabel = "NAME", description = "the login of that database")
        private @Nullable String user;

        @Option(
                names = "--source-password-env",
                paramLabel = "VARIABLE",
                description = "the environment variable that has its password: ${DEFAULT-VALUE} where none is named")
        private String variable = "PARLEY_SOURCE_PASSWORD";

        SourceDatabase open(String system) {
            return SourceDatabase.postgres(system, url, user, System.getenv(variable));
        }

        /** The address without what may be secret. */
        String where() {
            return url.replaceFirst("\\?.*", "");
        }
    }

    /** From Pingu. */
    @Command(
            name = "pingu",
            mixinStandardHelpOptions = true,
            description = "From pingu.db: sessions with their turns, and memories." + ENDS)
    static final class Pingu implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "pingu.db")
        private Path path = Path.of("");

        @Mixin
        private Options options = new Options();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Override
        public Integer call() throws InterruptedException {
            return options.run(new PinguSource(path), path.toString(), server);
        }
    }

    /** From Iris. */
    @Command(
            name = "iris",
            mixinStandardHelpOptions = true,
            description =
                    "From a folder with iris.db and projects/*/project.db, each project into one of its own; or from one"
                            + " project.db." + ENDS)
    static final class Iris implements Callable<Integer> {
        @Parameters(paramLabel = "DIR", description = "the folder, or one project.db")
        private Path path = Path.of("");

        @Mixin
        private Options options = new Options();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Override
        public Integer call() throws InterruptedException {
            return options.run(new IrisSource(path), path.toString(), server);
        }
    }

    /** From ikigai. */
    @Command(
            name = "ikigai",
            mixinStandardHelpOptions = true,
            description = "From the database of ikigai: its agents, each as a session." + ENDS)
    static final class Ikigai implements Callable<Integer> {
        @Mixin
        private Login login = new Login();

        @Mixin
        private Options options = new Options();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Override
        public Integer call() throws InterruptedException {
            return options.run(new IkigaiSource(() -> login.open("ikigai")), login.where(), server);
        }
    }

    /** From Light-Fabric. */
    @Command(
            name = "light-fabric",
            mixinStandardHelpOptions = true,
            description =
                    "From the database of Light-Fabric: tools, skills, agents, memory and sessions of one host." + ENDS)
    static final class LightFabric implements Callable<Integer> {
        @Mixin
        private Login login = new Login();

        @Option(
                names = "--host",
                paramLabel = "ID",
                description = "the host_id whose rows are taken, where there are several")
        private @Nullable String host;

        @Option(
                names = "--user",
                paramLabel = "ID",
                description =
                        "the user_id whose banks of memory, and the sessions in them, become those of whoever imports;"
                                + " without it banks of people stay behind")
        private @Nullable String user;

        @Mixin
        private Options options = new Options();

        @Mixin
        private ServerOptions server = new ServerOptions();

        @Override
        public Integer call() throws InterruptedException {
            return options.run(
                    new LightFabricSource(() -> login.open("Light-Fabric"), host, user), login.where(), server);
        }
    }
}
