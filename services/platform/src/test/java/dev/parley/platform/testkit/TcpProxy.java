package dev.parley.platform.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A network between a client and a server on this machine, which breaks when it is told to. */
@SuppressWarnings("JdkObsolete") // one thread writes a buffer while others read it
public final class TcpProxy implements Closeable {
    private static final int CHUNK = 8192;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** What clients sent, a text for each connection. */
    private final List<StringBuffer> sent = new CopyOnWriteArrayList<>();

    private final Object network = new Object();
    private boolean silent;
    private volatile @Nullable String cutText;

    /** A network to this port. */
    public TcpProxy(int target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return listening.getLocalPort();
    }

    /** No byte goes through from now on, and nobody is told. */
    public void silence() {
        synchronized (network) {
            silent = true;
        }
    }

    /** Bytes go through again, also those that were held back. */
    public void heal() {
        synchronized (network) {
            silent = false;
            network.notifyAll();
        }
    }

    /** The connection on which a server says this next breaks as soon as it was said; once. */
    public void cutAfter(String text) {
        cutText = text;
    }

    /** Whether that has happened. */
    public boolean hasCut() {
        return cutText == null;
    }

    /** What clients sent, a text for each connection. */
    public List<String> sent() {
        return sent.stream().map(StringBuffer::toString).toList();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                var traffic = new StringBuffer();
                sent.add(traffic);
                Thread.ofVirtual().name("proxy").start(() -> pump(client, server, traffic, false));
                Thread.ofVirtual().name("proxy").start(() -> pump(server, client, new StringBuffer(), true));
            } catch (IOException e) {
                // closed, or nobody is there
            }
        }
    }

    private void pump(Socket from, Socket to, StringBuffer traffic, boolean answers) {
        byte[] bytes = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                awaitNetwork();
                out.write(bytes, 0, n);
                traffic.append(new String(Arrays.copyOf(bytes, n), StandardCharsets.ISO_8859_1));
                if (answers && ends(traffic)) {
                    return;
                }
            }
        } catch (IOException e) {
            // one side is gone, and so is the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.removeAll(List.of(from, to));
        }
    }

    private synchronized boolean ends(StringBuffer traffic) {
        String expected = cutText;
        if (expected == null || traffic.indexOf(expected) < 0) {
            return false;
        }
        cutText = null;
        return true;
    }

    private void awaitNetwork() throws InterruptedException {
        synchronized (network) {
            while (silent) {
                network.wait();
            }
        }
    }

    @Override
    public void close() {
        heal();
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
