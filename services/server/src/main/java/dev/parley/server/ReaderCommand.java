package dev.parley.server;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.ReaderRole;
import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.embedded.EmbeddedPostgresServer;
import java.io.IOException;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code parley reader}: a role that reads the tables of one tenant. */
@Command(
        name = "reader",
        mixinStandardHelpOptions = true,
        description =
                "Makes a role of the database that reads the tables of one host or project, for BI tools, and prints"
                        + " its password. For a role that exists it makes a new password, and grants what an update"
                        + " added.")
final class ReaderCommand implements Callable<Integer> {
    private static final int PASSWORD_BYTES = 24;

    @ParentCommand
    private Parley parent;

    @Parameters(paramLabel = "ROLE", description = "name of the role: lower-case letters, digits and _")
    private String role = "";

    @Option(names = "--host", paramLabel = "HOST", description = "name or id of the host, instead of default")
    private String host = "default";

    @Option(names = "--project", paramLabel = "PROJECT", description = "only what belongs to this project of the host")
    private @Nullable String project;

    @Option(names = "--all", description = "the rows of all hosts")
    private boolean all;

    @Option(
            names = "--client",
            paramLabel = "FORM",
            description = "the form of what is printed: ${COMPLETION-CANDIDATES}; psql if it is missing")
    private ClientSettings.Form client = ClientSettings.Form.PSQL;

    @Override
    public Integer call() throws SQLException, IOException {
        ParleyConfig config = parent.config();
        try (Infrastructure infrastructure = Infrastructure.of(config)) {
            ReaderRole reader =
                    all ? new ReaderRole(role, null, null) : ReaderRole.of(infrastructure.owner(), role, host, project);
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            String password = HexFormat.of().formatHex(random);
            List<String> creation = reader.creation(infrastructure.owner(), password);
            DatabaseLogin superuser = config.postgres() == null
                    ? EmbeddedPostgresServer.superuser(
                            config.data(), infrastructure.ownerLogin().url())
                    : infrastructure.ownerLogin();
            boolean isCreated = ReaderRole.execute(Databases.single(superuser), creation);
            if (!isCreated && creation.getFirst().startsWith("CREATE")) {
                System.err.println(
                        "A superuser has to run these statements in the database; then run the command again.");
                creation.forEach(statement -> System.out.println(statement + ";"));
                return 1;
            }
            System.err.println(reader.grant(infrastructure.owner()) + " tables and views are readable for " + role
                    + (isCreated ? "." : "; its password and settings stay."));
            if (isCreated) {
                String url = infrastructure.ownerLogin().url();
                System.out.println(ClientSettings.text(
                        client, infrastructure.clients(), new DatabaseLogin(url, role, password), ""));
            }
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 2;
        }
    }
}
