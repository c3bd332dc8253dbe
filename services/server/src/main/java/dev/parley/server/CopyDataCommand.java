package dev.parley.server;

import dev.parley.platform.embedded.DataCopy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code parley copy-data}: copies the data folder of a running process, for a backup. */
@Command(
        name = "copy-data",
        mixinStandardHelpOptions = true,
        description = "Copies the data folder that a process runs on, for deploy/backup/backup.sh: the process goes on,"
                + " halted for a fraction of a second.")
final class CopyDataCommand implements Callable<Integer> {
    @ParentCommand
    private Parley parent;

    @Parameters(paramLabel = "FOLDER", description = "a new or empty folder on the same file system")
    private @Nullable Path folder;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        Path data = parent.config().data();
        System.out.printf(
                "%s is copied to %s; its process was halted for %d ms.%n",
                data,
                folder,
                DataCopy.take(data, Objects.requireNonNull(folder)).toMillis());
        return 0;
    }
}
