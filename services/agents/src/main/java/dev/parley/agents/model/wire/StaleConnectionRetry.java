package dev.parley.agents.model.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * Sends a request again if the server has closed the idle connection that it reused. OkHttp's own retry would also
 * repeat requests that failed on a new connection, if the host has another address.
 */
final class StaleConnectionRetry extends EventListener implements Interceptor {
    /** Whether a connection was opened for a call, which reuses an idle one otherwise. */
    private static final class Connects {
        private volatile boolean started;

        static Connects of(Call call) {
            return call.tag(Connects.class, Connects::new);
        }
    }

    static void addTo(OkHttpClient.Builder client) {
        var retry = new StaleConnectionRetry();
        client.retryOnConnectionFailure(false).eventListener(retry).addInterceptor(retry);
    }

    @Override
    public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
        Connects.of(call).started = true;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Call call = chain.call();
        while (true) {
            try {
                return chain.proceed(chain.request());
            } catch (IOException e) { // each failure removes one of the idle connections
                if (Connects.of(call).started || call.isCanceled()) {
                    throw e;
                }
            }
        }
    }
}
