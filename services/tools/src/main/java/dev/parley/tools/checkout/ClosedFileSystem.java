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
 * The file system as JGit sees it here: nothing is run, whatever a repository's hooks, filters and settings say; special files are not
 * there, as to read one may take for ever; and nobody's own settings of git are read.
 */
final class ClosedFileSystem extends FS_POSIX {
    private static final int USUAL_UMASK = 0022;

    static {
        SystemReader.setInstance(new NobodysSettings(SystemReader.getInstance()));
    }

    ClosedFileSystem() {
        setUmask(USUAL_UMASK); // else a shell is asked
    }

    private ClosedFileSystem(FS other) {
        super(other);
        setUmask(USUAL_UMASK);
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
        return dir; // whatever it says: else it could lie anywhere
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
            return true; // it is gone, or nobody may see it
        }
    }

    /** As if nobody had set anything, in the environment neither. */
    private static final class NobodysSettings extends SystemReader.Delegate {
        NobodysSettings(SystemReader system) {
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
            return new None(parent, fs);
        }

        @Override
        public FileBasedConfig openSystemConfig(Config parent, FS fs) {
            return new None(parent, fs);
        }

        @Override
        public FileBasedConfig openJGitConfig(Config parent, FS fs) {
            return new None(parent, fs);
        }
    }

    private static final class None extends FileBasedConfig {
        None(Config parent, FS fs) {
            super(parent, new File("none"), fs);
        }

        @Override
        public void load() {
            // there is nothing
        }

        @Override
        public void save() {
            // nothing is kept
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
