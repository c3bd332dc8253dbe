package dev.parley.tools.checkout;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.treewalk.FileTreeIterator.FileModeStrategy;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.FS_POSIX;
import org.eclipse.jgit.util.ProcessResult;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * JGit's file system without side effects: it runs no programs, whatever the repository's hooks, filters and settings
 * demand; hides special files, whose reading may block forever; and reads no user or system configuration of git.
 */
final class ClosedFileSystem extends FS_POSIX {
    private static final int DEFAULT_UMASK = 0022;

    static {
        SystemReader.setInstance(new EmptySettings(SystemReader.getInstance()));
    }

    ClosedFileSystem() {
        setUmask(DEFAULT_UMASK); // else JGit runs a shell
    }

    private ClosedFileSystem(FS other) {
        super(other);
        setUmask(DEFAULT_UMASK);
    }

    @Override
    public FS newInstance() {
        return new ClosedFileSystem(this);
    }

    @Override
    protected @Nullable File discoverGitExe() {
        return null;
    }

    @Override
    public @Nullable File getGitSystemConfig() {
        return null;
    }

    @Override
    public File getCommonDir(File dir) {
        return dir; // the commondir file could point anywhere
    }

    @Override
    public ProcessResult runHookIfPresent(
            Repository repository, String hook, String[] arguments, OutputStream out, OutputStream err, String input) {
        return new ProcessResult(ProcessResult.Status.NOT_PRESENT);
    }

    @Override
    public @Nullable File findHook(Repository repository, String hook) {
        return null;
    }

    @Override
    public ProcessBuilder runInShell(String command, String[] arguments) {
        throw programs();
    }

    @Override
    public int runProcess(ProcessBuilder program, OutputStream out, OutputStream err, InputStream in) {
        throw programs();
    }

    @Override
    public ExecutionResult execute(ProcessBuilder program, InputStream in) {
        throw programs();
    }

    private static CheckoutException programs() {
        return new CheckoutException(
                "some of these files need a filter of the repository, such as git-lfs, and no program is run here; name others");
    }

    @Override
    public WorkingTreeIterator.Entry[] list(File directory, FileModeStrategy strategy) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CheckoutException("it took too long and was stopped; name a smaller folder");
        }
        return Arrays.stream(super.list(directory, strategy))
                .filter(entry ->
                        !Folders.isReserved(entry.getName()) && !isSpecial(new File(directory, entry.getName())))
                .toArray(WorkingTreeIterator.Entry[]::new);
    }

    private static boolean isSpecial(File file) {
        try {
            return Files.readAttributes(file.toPath(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (IOException e) {
            return true; // deleted or not accessible
        }
    }

    /** Hides all configuration and environment variables. */
    private static final class EmptySettings extends SystemReader.Delegate {
        EmptySettings(SystemReader system) {
            super(system);
        }

        @Override
        public @Nullable String getenv(String variable) {
            return null;
        }

        @Override
        public String getHostname() {
            return "localhost";
        }

        @Override
        public FileBasedConfig openUserConfig(Config parent, FS fs) {
            return new EmptyConfig(parent, fs);
        }

        @Override
        public FileBasedConfig openSystemConfig(Config parent, FS fs) {
            return new EmptyConfig(parent, fs);
        }

        @Override
        public FileBasedConfig openJGitConfig(Config parent, FS fs) {
            return new EmptyConfig(parent, fs);
        }
    }

    private static final class EmptyConfig extends FileBasedConfig {
        EmptyConfig(Config parent, FS fs) {
            super(parent, new File("none"), fs);
        }

        @Override
        public void load() {
            // empty
        }

        @Override
        public void save() {
            // read-only
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
