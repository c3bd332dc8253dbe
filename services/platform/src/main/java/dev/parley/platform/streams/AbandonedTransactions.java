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
 * The open transactions of a topology that nobody goes on with, because their instance was killed. While one is open, whoever takes
 * its partitions over waits for its offsets, and readers of committed records wait at its first record.
 *
 * <p>A thread's transactions are named {@code {application}-{member}}, where the member is the {@code group.instance.id} by which the
 * topology's group knows that thread. So a transaction is abandoned when its name is that of no member. Whoever was taken for dead
 * too early is fenced, as it would be by its group, and joins again.
 */
final class AbandonedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);

    /** How long each question to the brokers may take. */
    private static final int TIMEOUT_MILLIS = 3_000;

    /** Names that Kafka Streams chooses by itself, and earlier versions had: they do not say whose they are. */
    private static final Pattern UNKNOWN_OWNER =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}-\\d+");

    private final String application;
    private final String instance;

    AbandonedTransactions(String application, String instance) {
        this.application = application;
        this.instance = instance;
    }

    /** The name of the transactions of a thread of this instance. @param thread counts from 1 */
    String transactionalId(int thread) {
        return prefix() + instance + "-" + thread;
    }

    private String prefix() {
        return application + "-";
    }

    /** Ends what this instance has left open, before it joins its group. A failure is logged: the transaction times out then. */
    void endOwn(Admin admin, int threads) {
        try {
            end(
                    admin,
                    IntStream.rangeClosed(1, threads)
                            .mapToObj(this::transactionalId)
                            .toList());
        } catch (ExecutionException | TimeoutException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends what instances have left open that are no members of the group any more. A failure is logged. */
    void endOthers(Admin admin) {
        try {
            Set<String> open = open(admin);
            if (!open.isEmpty()) {
                Set<String> members = members(admin); // after that: who has begun one since is a member
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
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(Exception e) {
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
