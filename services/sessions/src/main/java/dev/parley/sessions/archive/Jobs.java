package dev.parley.sessions.archive;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.KafkaClients;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpStatus;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the exports and imports of this process in the background, one at a time. */
@Singleton
public final class Jobs {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SWEEP_INTERVAL = Duration.ofHours(1);

    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("archives").daemon().factory());
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Path folder;
    private final String instance;
    private final Export export;
    private final Import importer;
    private final AccessFollower directory;
    private final Optional<ProjectRecords> records;
    private final ProjectParts parts;

    Jobs(
            @Value("${parley.blobs}") String blobFolder,
            @Value("${parley.instance:parley}") String instance,
            KafkaClients clients,
            BlobStore blobs,
            Import importer,
            AccessFollower directory,
            Optional<ProjectRecords> records,
            ProjectParts parts) {
        this.folder = Path.of(blobFolder).toAbsolutePath().resolve("archives");
        this.instance = instance + "/" + ProcessHandle.current().pid();
        this.export = new Export(clients, blobs);
        this.importer = importer;
        this.directory = directory;
        this.records = records;
        this.parts = parts;
    }

    /** The exports of one project, which are not visible through another, nor from another host. */
    JobFolder exports(Project project) {
        return new JobFolder(exports(project.host(), project.project()));
    }

    private Path exports(UUID host, UUID project) {
        return folder.resolve("exports-" + host).resolve(project.toString());
    }

    /** The imports of a host. */
    JobFolder imports(UUID host) {
        return new JobFolder(folder.resolve("imports-" + host));
    }

    /** @throws ApiException 409 while another job is running */
    private void acquire() {
        if (!busy.compareAndSet(false, true)) {
            throw new ApiException(
                            HttpStatus.CONFLICT,
                            "archive_busy",
                            "This process is running another export or import; try again later")
                    .retryAfter(Duration.ofSeconds(10));
        }
    }

    @PostConstruct
    void start() {
        var _ = worker.scheduleWithFixedDelay(this::sweep, 0, SWEEP_INTERVAL.toMinutes(), TimeUnit.MINUTES);
    }

    private void sweep() {
        try {
            new JobFolder(folder).sweep();
        } catch (IOException | UncheckedIOException e) {
            LOG.atWarn().setCause(e).log("old archives cannot be deleted");
        }
    }

    /**
     * Deletes the archives of a project, also those that 0.1.0 wrote within the last day.
     *
     * @throws UncheckedIOException where some files cannot be deleted
     */
    public void forget(UUID host, UUID project) {
        try {
            new JobFolder(exports(host, project)).clear();
            new JobFolder(folder.resolve(project.toString())).clear();
        } catch (IOException e) {
            throw new UncheckedIOException("archives of the project cannot be deleted", e);
        }
    }

    Job startExport(Project project, Account account) {
        acquire();
        JobFolder jobs = exports(project);
        Job job = Job.began(UUID.randomUUID(), project.projectKey(), Job.RUNNING, instance);
        runInBackground(jobs, job, () -> runExport(jobs, job, project, account));
        return job;
    }

    private Job runExport(JobFolder jobs, Job job, Project project, Account account) throws IOException {
        jobs.create();
        Path file = jobs.archive(job.id());
        Summary summary = export.run(content(project, account), file);
        records.ifPresent(control -> control.audit(
                project, account.user(), "export", "%d events, archive %s".formatted(summary.events(), summary.id())));
        try (InputStream in = Files.newInputStream(file)) {
            return job.completeExport(summary, Files.size(file), StreamDigest.of(in, Long.MAX_VALUE));
        }
    }

    /** Personal banks are exported by administrators only: a project lead may not read them otherwise either. */
    private Export.Content content(Project project, Account account) {
        return new Export.Content(
                project.projectKey(),
                project.name(),
                people -> ProjectFile.of(project, directory, records, people),
                bank -> account.admin() || bank.scope().isShared(),
                (entries, time) -> parts.write(project, account.user(), time, entries),
                Stream.concat(
                                parts.absent().stream(),
                                account.admin() ? Stream.empty() : Stream.of("banks of persons: for administrators"))
                        .toList());
    }

    /**
     * Starts an import.
     *
     * @throws ArchiveException where the file is not an archive, or was written by a newer version
     */
    Job startImport(Account account, Job uploaded, String as) throws IOException, ArchiveException {
        JobFolder jobs = imports(account.host());
        Archive archive = Archive.open(jobs.archive(uploaded.id()));
        String to = as.isEmpty() ? archive.manifest().project() : as;
        try {
            requireKey(to);
            acquire();
        } catch (ApiException | ArchiveException e) {
            archive.close();
            throw e;
        }
        Job job = uploaded.running(to, instance);
        runInBackground(jobs, job, () -> {
            try (archive) {
                return job.completeImport(
                        importer.run(account, archive, String.valueOf(job.project()), progress(jobs, job)));
            }
        });
        return job;
    }

    private static void requireKey(String project) throws ArchiveException {
        if (!RecordKey.isNewProject(project)) {
            throw new ArchiveException(
                    "invalid_key", "The key of the archive's project is not valid here: name another one with ?as=.");
        }
    }

    /** Records the progress, at most once per second. */
    private static LongConsumer progress(JobFolder jobs, Job job) {
        long[] next = {System.nanoTime() + PROGRESS_INTERVAL.toNanos()};
        return sent -> {
            if (System.nanoTime() > next[0]) {
                next[0] = System.nanoTime() + PROGRESS_INTERVAL.toNanos();
                jobs.save(job.withEvents(sent));
            }
        };
    }

    /** The work of a job; returns its end state. */
    @FunctionalInterface
    private interface Work {
        Job run() throws IOException, ArchiveException;
    }

    private void runInBackground(JobFolder jobs, Job job, Work work) {
        try {
            jobs.save(job);
            worker.execute(() -> {
                try {
                    saveEnd(jobs, job, outcome(job, work));
                } finally {
                    busy.set(false);
                }
            });
        } catch (RuntimeException e) {
            busy.set(false); // it was not started
            throw e;
        }
    }

    /** Records an end state in any case: otherwise clients would poll a job that seems to be running. */
    private static void saveEnd(JobFolder jobs, Job job, Job end) {
        try {
            jobs.save(end);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("job", job.id()).setCause(e).log("end of a job could not be recorded");
            jobs.save(job.fail("failed", "The result could not be recorded; see the log"));
        }
    }

    private static Job outcome(Job job, Work work) {
        try {
            return work.run();
        } catch (ArchiveException e) {
            return job.fail(e.code(), e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.atError().addKeyValue("job", job.id()).setCause(e).log("an export or import failed");
            return job.fail("failed", String.valueOf(e.getMessage()));
        }
    }

    /** The state of a job; a job whose process has ended is reported as failed. */
    Optional<Job> find(JobFolder jobs, UUID id) {
        return jobs.find(id).map(job -> {
            String runner = String.valueOf(job.instance());
            boolean isEarlierProcess = instanceName(runner).equals(instanceName(instance)) && !runner.equals(instance);
            return job.state().equals(Job.RUNNING) && isEarlierProcess
                    ? job.fail("stopped", "The process was stopped; start again")
                    : job;
        });
    }

    private static String instanceName(String process) {
        return process.substring(0, process.lastIndexOf('/') + 1);
    }

    @PreDestroy
    void close() {
        worker.shutdownNow();
    }
}
