package dev.parley.platform.streams;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClassicGroupsOptions;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Open transactions of a topology whose instance was killed. While one is open, the next owner of its partitions waits
 * for its offsets, and read-committed consumers wait at its first record.
 *
 * <p>The transactional id of a thread is {@code {application}-{member}}, where the member is the thread's
 * {@code group.instance.id}. A transaction is abandoned when its id belongs to no member of the group. An instance that
 * is only slow is fenced, as its group would do, and joins again.
 */
final class AbandonedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

    /** Timeout of each request to the brokers. */
    private static final int TIMEOUT_MILLIS = 3_000;

    /** Ids that Kafka Streams generates, as earlier versions used: their owner is unknown. */
    private static final Pattern UNKNOWN_OWNER =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}-\\d+");

    private final String application;
    private final String instance;

    AbandonedTransactions(String application, String instance) {
        this.application = application;
        this.instance = instance;
    }

    /**
     * The transactional id of a thread of this instance.
     *
     * @param thread counts from 1
     */
    String transactionalId(int thread) {
        return prefix() + instance + "-" + thread;
    }

    private String prefix() {
        return application + "-";
    }

    /**
     * Ends transactions of this instance before it joins its group. A failure is logged; the transactions time out
     * then.
     */
    void endOwn(Admin admin, int threads) {
        try {
            end(
                    admin,
                    IntStream.rangeClosed(1, threads)
                            .mapToObj(this::transactionalId)
                            .toList());
        } catch (ExecutionException | TimeoutException e) {
            logFailure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends transactions of instances that are no longer members of the group. A failure is logged. */
    void endOthers(Admin admin) {
        try {
            Set<String> open = open(admin);
            if (!open.isEmpty()) {
                Set<String> members = members(admin); // read last: an instance that begins one meanwhile is a member
                List<String> abandoned = open.stream()
                        .filter(id -> isAbandoned(id.substring(prefix().length()), members))
                        .toList();
                if (!abandoned.isEmpty()) {
                    end(admin, abandoned);
                    LOG.atInfo()
                            .addKeyValue("transactions", abandoned)
                            .log("open transactions of instances that are gone are ended");
                }
            }
        } catch (ExecutionException | TimeoutException e) {
            logFailure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void logFailure(Exception e) {
        LOG.atWarn()
                .addKeyValue("topology", application)
                .setCause(e)
                .log("open transactions could not be ended; they end by their time-out");
    }

    static boolean isAbandoned(String member, Set<String> members) {
        return !members.contains(member) && !UNKNOWN_OWNER.matcher(member).matches();
    }

    private Set<String> open(Admin admin) throws ExecutionException, TimeoutException, InterruptedException {
        var options = new ListTransactionsOptions()
                .filterStates(List.of(TransactionState.ONGOING))
                .timeoutMs(TIMEOUT_MILLIS);
        return answer(admin.listTransactions(options).all()).stream()
                .map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(prefix()))
                .collect(Collectors.toSet());
    }

    private Set<String> members(Admin admin) throws ExecutionException, TimeoutException, InterruptedException {
        var options = new DescribeClassicGroupsOptions().timeoutMs(TIMEOUT_MILLIS);
        return answer(admin.describeClassicGroups(List.of(application), options).all()).values().stream()
                .flatMap(group -> group.members().stream())
                .flatMap(member -> member.groupInstanceId().stream())
                .collect(Collectors.toSet());
    }

    private static void end(Admin admin, Collection<String> transactionalIds)
            throws ExecutionException, TimeoutException, InterruptedException {
        answer(admin.fenceProducers(transactionalIds, new FenceProducersOptions().timeoutMs(TIMEOUT_MILLIS))
                .all());
    }

    private static <T> T answer(KafkaFuture<T> future)
            throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(TIMEOUT_MILLIS + 500, TimeUnit.MILLISECONDS);
    }
}
