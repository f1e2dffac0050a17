// The forecast of a plan is drawn when a worker has computed it.

import { follow, refresher } from "../base/live.js";

const forecast = document.getElementById("forecast");
const refresh = refresher(forecast, () => forecast.dataset.live);
follow(forecast, refresh);
