package dev.parley.platform.access;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.TopicFollower;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Follows {@code access}: all of it is in memory before {@link #start} returns, changes within a second. */
public final class Directory implements Known, Service {
    /** A million people take some seconds. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final TopicFollower<AccessRecord> follower;
    private final Map<String, AccessRecord> records = new ConcurrentHashMap<>();

    public Directory(KafkaClients clients) {
        this.follower = new TopicFollower<>(clients, Topics.ACCESS, this::take, START);
    }

    @Override
    public String name() {
        return "access";
    }

    @Override
    public void start() {
        follower.start();
    }

    private void take(String key, @Nullable AccessRecord record) {
        if (record == null) {
            records.remove(key);
        } else {
            records.merge(key, record, (before, now) -> now.version() >= before.version() ? now : before);
        }
    }

    /** How many records there are. */
    public int size() {
        return records.size();
    }

    /**
     * Waits until what was said of this key at a moment, or later, is known here.
     *
     * @param version of the record, or null where there is to be none
     */
    public boolean shows(String key, @Nullable Long version) {
        AccessRecord record = records.get(key);
        return version == null ? record == null : record != null && record.version() >= version;
    }

    @Override
    public Optional<Account> account(UUID host, UUID user) {
        return Optional.ofNullable((Account) records.get(Account.key(host, user)));
    }

    @Override
    public Optional<AccessKey> key(String prefix) {
        return Optional.ofNullable((AccessKey) records.get(AccessKey.key(prefix)));
    }

    @Override
    public Optional<Project> project(String projectKey) {
        return Optional.ofNullable((Project) records.get(Project.key(projectKey)))
                .or(() -> NOTHING.project(projectKey));
    }

    @Override
    public Optional<Member> member(UUID project, UUID user) {
        return Optional.ofNullable((Member) records.get(Member.key(project, user)));
    }

    @Override
    public Optional<Setting> setting(UUID host, String name) {
        return Optional.ofNullable((Setting) records.get(Setting.key(host, name)));
    }

    @Override
    public void catchUp() {
        follower.catchUp(MOMENT);
    }

    @Override
    public Optional<String> problem() {
        return follower.problem();
    }

    @Override
    public void close() {
        follower.close();
    }
}
