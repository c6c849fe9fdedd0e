{{- define "roster-sync.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "roster-sync.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "roster-sync.labels" -}}
{{ include "roster-sync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "roster-sync.secret" -}}
{{- if .Values.secret.values }}{{ include "roster-sync.name" . }}{{ else }}{{ required "secret.existing or secret.values: name a Secret with ROSTER_SYNC_TOKEN, REDIS_URL and DATABASE_URL" .Values.secret.existing }}{{ end }}
{{- end }}

{{- /* The settings, with the names under which the server is asked. */ -}}
{{- define "roster-sync.config" -}}
{{- $config := deepCopy .Values.config }}
{{- $_ := required "config.service.baseUrl: set the address of the service" $config.service.baseUrl }}
{{- $server := default dict $config.server }}
{{- $hosts := concat (default list $server.hosts) (list (include "roster-sync.name" .)) }}
{{- if .Values.ingress.enabled }}
{{- $hosts = append $hosts (required "ingress.host: set the name of the host" .Values.ingress.host) }}
{{- end }}
{{- toYaml (merge (dict "server" (merge (dict "hosts" (uniq $hosts)) $server)) $config) }}
{{- end }}

{{- /* What the pods of server and worker share, before their containers. */ -}}
{{- define "roster-sync.pod" -}}
serviceAccountName: {{ include "roster-sync.name" . }}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* What their containers share. */ -}}
{{- define "roster-sync.container" -}}
image: {{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom: [{ secretRef: { name: {{ include "roster-sync.secret" . }} } }]
startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 10, timeoutSeconds: 5 }
readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 10, timeoutSeconds: 5 }
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
volumeMounts:
  - { name: config, mountPath: /config, readOnly: true }
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- /* Restarts pods whose settings have changed: they are read once. */ -}}
{{- define "roster-sync.checksums" -}}
checksum/config: {{ include "roster-sync.config" . | sha256sum }}
{{- if .Values.secret.values }}
checksum/secret: {{ toYaml .Values.secret.values | sha256sum }}
{{- end }}
{{- end }}
