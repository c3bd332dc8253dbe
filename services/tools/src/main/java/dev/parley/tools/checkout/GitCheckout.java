package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.eclipse.jgit.api.CommitCommand;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.LogCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.JGitInternalException;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.errors.RevisionSyntaxException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilterGroup;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.jspecify.annotations.Nullable;

/** The git repository of a checkout. It runs no programs and no hooks. */
final class GitCheckout implements AutoCloseable {
    /** The trailer that identifies the commit of a call. */
    private static final String CALL = "Parley-Call: ";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int ABBREVIATED = 10;

    private final Repository repository;

    private GitCheckout(Repository repository) {
        this.repository = repository;
    }

    /** @throws CheckoutException when the checkout is not the root of a repository */
    static GitCheckout of(Checkout checkout) throws IOException {
        Path git = checkout.root().resolve(Constants.DOT_GIT);
        if (!Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            throw new CheckoutException(
                    Files.exists(git, LinkOption.NOFOLLOW_LINKS)
                            ? "the checkout's .git is not a folder: worktrees and submodules are not supported"
                            : "the checkout is not a git repository: its files can only be read and written");
        }
        File root = checkout.root().toFile();
        try {
            return new GitCheckout(new FileRepositoryBuilder()
                    .setFS(new ClosedFileSystem())
                    .setGitDir(git.toFile())
                    .setWorkTree(root)
                    .setMustExist(true)
                    .build());
        } catch (IOException e) {
            throw new CheckoutException(
                    "the checkout's git repository cannot be opened, or its settings are broken", e);
        }
    }

    /**
     * A unified diff of a part of the checkout.
     *
     * @param to null for the working tree
     */
    String diff(String from, @Nullable String to, FilePath path) throws IOException {
        ObjectId before = from.equals(Constants.HEAD) ? repository.resolve("HEAD^{tree}") : tree(from);
        var diff = new GitDiff(repository, TreeFilters.of(path));
        return to == null ? diff.withFiles(iterator(before)) : diff.between(iterator(before), iterator(tree(to)));
    }

    private AbstractTreeIterator iterator(@Nullable ObjectId tree) throws IOException {
        if (tree == null) { // before the first commit
            return new EmptyTreeIterator();
        }
        try (ObjectReader reader = repository.newObjectReader()) {
            var parser = new CanonicalTreeParser();
            parser.reset(reader, tree);
            return parser;
        }
    }

    private ObjectId tree(String revision) throws IOException {
        return resolve(revision, "^{tree}");
    }

    private ObjectId resolve(String revision, String kind) throws IOException {
        try {
            ObjectId found = repository.resolve(revision + kind);
            if (found != null) {
                return found;
            }
        } catch (RevisionSyntaxException | IOException e) {
            // reported below: ambiguous or unknown
        }
        throw new CheckoutException("there is no revision '" + revision + "'; repo_log lists commits");
    }

    /** The newest commits of a part of the checkout, one per line. */
    String log(@Nullable String from, FilePath path, int max) throws IOException {
        if (repository.resolve(Constants.HEAD) == null && from == null) {
            return "There is no commit yet.";
        }
        try (Git git = new Git(repository)) {
            LogCommand log = git.log()
                    .add(resolve(from == null ? Constants.HEAD : from, "^{commit}"))
                    .setMaxCount(max);
            Folders.names(path);
            if (!path.value().equals("/")) {
                log.addPath(path.value().substring(1));
            }
            var lines = new ArrayList<String>();
            log.call().forEach(commit -> lines.add(line(commit)));
            return lines.isEmpty() ? "No commit." : String.join("\n", lines);
        } catch (GitAPIException e) {
            throw new CheckoutException("the log cannot be read: " + e.getMessage(), e);
        }
    }

    private static String line(RevCommit commit) {
        PersonIdent author = commit.getAuthorIdent();
        return "%s %s %s: %s"
                .formatted(
                        commit.name().substring(0, ABBREVIATED),
                        TIME.format(Instant.ofEpochSecond(commit.getCommitTime())),
                        author == null ? "?" : author.getName(),
                        commit.getShortMessage());
    }

    /**
     * Commits the current files of these paths, including deletions, and nothing else that is staged.
     *
     * @param call identifies the commit: a repeated call makes no second one
     */
    String commit(String message, List<FilePath> paths, String agent, String call) throws IOException {
        RevCommit head = head();
        if (head != null && head.getFullMessage().contains(CALL + call)) {
            return summary(head);
        }
        List<String> patterns = paths.stream().map(TreeFilters::pattern).toList();
        try (Git git = new Git(repository)) {
            git.add().addFilepatterns(patterns).call();
            git.add().addFilepatterns(patterns).setUpdate(true).call();
            List<String> changed = stagedChanges(head, patterns);
            if (changed.isEmpty()) {
                return "There is nothing to commit: these files are as they were in the last commit, or ignored.";
            }
            CommitCommand commit = commitCommand(git, message.strip() + "\n\n" + CALL + call + "\n", agent);
            patterns.stream().filter(pattern -> isPart(pattern, changed)).forEach(commit::setOnly);
            return summary(commit.call());
        } catch (GitAPIException | JGitInternalException e) {
            throw e.getCause() instanceof CheckoutException cause
                    ? cause
                    : new CheckoutException("it cannot be committed: " + e.getMessage(), e);
        }
    }

    private static CommitCommand commitCommand(Git git, String message, String agent) {
        var person = new PersonIdent(agent + " (Parley)", "parley@localhost");
        return git.commit()
                .setMessage(message)
                .setAuthor(person)
                .setCommitter(person)
                .setNoVerify(true)
                .setSign(false);
    }

    /** Whether to restrict the commit to this path, which has changes. */
    private static boolean isPart(String pattern, List<String> changed) {
        return !pattern.equals(".")
                && changed.stream().anyMatch(path -> path.equals(pattern) || path.startsWith(pattern + "/"));
    }

    private @Nullable RevCommit head() throws IOException {
        ObjectId id = repository.resolve("HEAD^{commit}");
        if (id == null) {
            return null;
        }
        try (RevWalk walk = new RevWalk(repository)) {
            return walk.parseCommit(id);
        }
    }

    private static String summary(RevCommit commit) {
        return "Committed " + commit.name().substring(0, ABBREVIATED) + ": " + commit.getShortMessage();
    }

    /** The staged changes of these paths. */
    private List<String> stagedChanges(@Nullable RevCommit head, List<String> patterns) throws IOException {
        DirCache index = repository.readDirCache();
        var changed = new ArrayList<String>();
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(iterator(head == null ? null : head.getTree().getId()));
            walk.addTree(new DirCacheIterator(index));
            walk.setRecursive(true);
            walk.setFilter(
                    patterns.contains(".")
                            ? TreeFilter.ANY_DIFF
                            : AndTreeFilter.create(PathFilterGroup.createFromStrings(patterns), TreeFilter.ANY_DIFF));
            while (walk.next()) {
                changed.add(walk.getPathString());
            }
        }
        return changed;
    }

    @Override
    public void close() {
        repository.close();
    }
}
