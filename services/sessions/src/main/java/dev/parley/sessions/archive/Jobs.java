package dev.parley.sessions.archive;

import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.access.ProjectRecords;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.sessions.archive.Export.Wanted;
import io.micronaut.context.annotation.Requires;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the exports and imports of this process in the background, one at a time. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
public final class Jobs {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

    private static final Duration SWEEP = Duration.ofHours(1);

    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("archives").daemon().factory());
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Path folder;
    private final String instance;
    private final Export export;
    private final Import importer;
    private final AccessFollower directory;
    private final Optional<ProjectRecords> records;
    private final Parts parts;

    Jobs(
            @Value("${parley.blobs}") String blobFolder,
            @Value("${parley.instance:parley}") String instance,
            KafkaClients clients,
            BlobStore blobs,
            Import importer,
            AccessFollower directory,
            Optional<ProjectRecords> records,
            Parts parts) {
        this.folder = Path.of(blobFolder).toAbsolutePath().resolve("archives");
        this.instance = instance + "/" + ProcessHandle.current().pid();
        this.export = new Export(clients, blobs);
        this.importer = importer;
        this.directory = directory;
        this.records = records;
        this.parts = parts;
    }

    /** The exports of one project, which are not visible through another. */
    JobFolder exports(Project project) {
        return new JobFolder(folder.resolve(project.project().toString()));
    }

    /** The imports of a host. */
    JobFolder imports(UUID host) {
        return new JobFolder(folder.resolve("imports-" + host));
    }

    /** @throws ApiException 409 while another job is running */
    private void begin() {
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
        var _ = worker.scheduleWithFixedDelay(this::sweep, 0, SWEEP.toMinutes(), TimeUnit.MINUTES);
    }

    private void sweep() {
        try {
            new JobFolder(folder).sweep();
        } catch (IOException | UncheckedIOException e) {
            LOG.atWarn().setCause(e).log("old archives cannot be deleted");
        }
    }

    /**
     * Deletes the archives of a project.
     *
     * @throws UncheckedIOException where some files cannot be deleted
     */
    public void forget(UUID project) {
        try {
            new JobFolder(folder.resolve(project.toString())).clear();
        } catch (IOException e) {
            throw new UncheckedIOException("archives of the project cannot be deleted", e);
        }
    }

    /** Starts an export. */
    Job export(Project project, Account who) {
        begin();
        JobFolder jobs = exports(project);
        Job job = Job.began(UUID.randomUUID(), project.projectKey(), Job.RUNNING, instance);
        work(jobs, job, () -> exported(jobs, job, project, who));
        return job;
    }

    private Job exported(JobFolder jobs, Job job, Project project, Account who) throws IOException {
        jobs.scratch();
        Path file = jobs.archive(job.id());
        Summary summary = export.run(wanted(project, who), file);
        records.ifPresent(one -> one.audit(
                project, who.user(), "export", "%d events, archive %s".formatted(summary.events(), summary.id())));
        try (InputStream in = Files.newInputStream(file)) {
            return job.exported(summary, Files.size(file), StreamDigest.of(in, Long.MAX_VALUE));
        }
    }

    /** Personal banks are exported by administrators only: a project lead may not read them otherwise either. */
    private Wanted wanted(Project project, Account who) {
        return new Wanted(
                project.projectKey(),
                project.name(),
                people -> ProjectFile.of(project, directory, records, people),
                bank -> who.admin() || bank.scope().isShared(),
                (entries, at) -> parts.write(project, who.user(), at, entries),
                Stream.concat(
                                parts.absent().stream(),
                                who.admin() ? Stream.empty() : Stream.of("banks of persons: for administrators"))
                        .toList());
    }

    /**
     * Starts an import.
     *
     * @throws ArchiveException where the file is not an archive, or was written by a newer version
     */
    Job importing(Account who, Job uploaded, String as) throws IOException, ArchiveException {
        JobFolder jobs = imports(who.host());
        Archive archive = Archive.open(jobs.archive(uploaded.id()));
        try {
            begin();
        } catch (ApiException e) {
            archive.close();
            throw e;
        }
        Job job = uploaded.running(as.isEmpty() ? archive.manifest().project() : as, instance);
        work(jobs, job, () -> {
            try (archive) {
                return job.imported(importer.run(who, archive, String.valueOf(job.project()), news(jobs, job)));
            }
        });
        return job;
    }

    private static java.util.function.LongConsumer news(JobFolder jobs, Job job) {
        long[] next = {System.nanoTime() + PROGRESS_INTERVAL.toNanos()};
        return sent -> {
            if (System.nanoTime() > next[0]) {
                next[0] = System.nanoTime() + PROGRESS_INTERVAL.toNanos();
                jobs.keep(job.withEvents(sent));
            }
        };
    }

    /** A job in the background. */
    @FunctionalInterface
    private interface Work {
        Job done() throws IOException, ArchiveException;
    }

    private void work(JobFolder jobs, Job job, Work work) {
        try {
            jobs.keep(job);
            worker.execute(() -> {
                try {
                    keep(jobs, job, outcome(job, work));
                } finally {
                    busy.set(false);
                }
            });
        } catch (RuntimeException e) {
            busy.set(false); // it did not begin
            throw e;
        }
    }

    /** Records an end state in any case: otherwise clients would poll a job that seems to be running. */
    private static void keep(JobFolder jobs, Job job, Job end) {
        try {
            jobs.keep(end);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("job", job.id()).setCause(e).log("end of a job could not be recorded");
            jobs.keep(job.failed("failed", "The result could not be recorded; see the log"));
        }
    }

    private static Job outcome(Job job, Work work) {
        try {
            return work.done();
        } catch (ArchiveException e) {
            return job.failed(e.code(), e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.atError().addKeyValue("job", job.id()).setCause(e).log("an export or import failed");
            return job.failed("failed", String.valueOf(e.getMessage()));
        }
    }

    /** The state of a job; a job whose process has ended is reported as failed. */
    Optional<Job> find(JobFolder jobs, UUID id) {
        return jobs.find(id).map(job -> {
            String on = String.valueOf(job.instance());
            boolean here = on.substring(0, on.lastIndexOf('/') + 1)
                    .equals(instance.substring(0, instance.lastIndexOf('/') + 1));
            boolean gone = job.state().equals(Job.RUNNING) && here && !on.equals(instance);
            return gone ? job.failed("stopped", "The process was stopped; start again") : job;
        });
    }

    @PreDestroy
    void close() {
        worker.shutdownNow();
    }
}
